/// What beside the URL decides which bytes a server sends: header fields, credentials, and whether
/// anyone may have sent them.
///
/// Two variants of one URL are two pictures: two transfers, two entries in each cache. A key holds
/// a digest of it, so that no secret gets into a file's name (theme T22).
struct CacheVariant {
    /// What a cache key ends in; nil for what everybody gets.
    let suffix: String?

    /// The variant of a request with these `headers`, where a plain one would send `usual` ones.
    init(headers: [HeaderField], usual: [HeaderField], policy: TransferPolicy) {
        guard headers != usual || policy.changesBytes else {
            suffix = nil
            return
        }
        let own = headers.filter { !usual.contains($0) }.map { ($0.name.lowercased(), $0.value) }
        let missing = usual.filter { field in !headers.contains { $0.isNamed(field.name) } }
        var parts = own.sorted { $0 < $1 }.flatMap { [$0.0, $0.1] }
        parts += missing.map { "-" + $0.name.lowercased() }.sorted()
        parts += ["\(policy.handlesCookies)", "\(policy.allowsInvalidCertificates)"]
        parts += policy.credentials.map { [$0.user, $0.password] } ?? []
        // With lengths, so that no two lists read alike.
        let text = parts.map { "\($0.utf8.count):\($0)" }.joined()
        // No URL here has a fragment, so no URL's key ends like this.
        suffix = "#" + MessageDigest.md5(text).hexadecimal
    }
}

extension TransferPolicy {
    /// Private addresses send the same bytes to everyone who may ask them.
    fileprivate var changesBytes: Bool {
        handlesCookies || allowsInvalidCertificates || credentials != nil
    }
}
