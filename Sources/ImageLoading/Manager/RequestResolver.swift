/// Finds out which work a request stands for: checks its URL, and asks the hooks that have a say in
/// which picture is meant.
struct RequestResolver: Sendable {
    let hooks: LoadingHooks
    /// The header fields of every request (rows D8, D9).
    let usualHeaders: [HeaderField]
    /// Whether every load is one from the caches only.
    var isOffline = false

    func key(
        for request: ImageRequest,
        purpose: LoadKey.Purpose = .picture
    ) throws(ImageLoadingError) -> LoadKey {
        var request = request
        if isOffline { request.options.insert(.fromCacheOnly) }
        var url = try ImageURL(parsing: request.url, origin: request.origin)
        let headers = headers(of: request, url: url)
        let policy = policy(of: request, url: url)
        let name = hooks.cacheKey?(url)
        let suffix = variantSuffix(headers, policy)
        url.cacheName = suffix.isEmpty ? name : (name ?? url.cacheKey) + suffix
        return LoadKey(request, url: url, headers: headers, policy: policy, purpose: purpose)
    }

    /// What tells the bytes for these fields and this policy from those that everybody gets: a
    /// digest, as no secret must get into a file's name (theme T22).
    ///
    /// No URL here has a fragment, so no other key ends like this.
    private func variantSuffix(_ headers: [HeaderField], _ policy: TransferPolicy) -> String {
        let own = headers == usualHeaders ? [] : headers.filter { !usualHeaders.contains($0) }
        let variant = RequestVariant(headers: own, policy: policy)
        // What came unchecked must not be shown to who wants it checked (row O10).
        let unchecked = policy.allowsInvalidCertificates ? "#unchecked" : ""
        return (variant.map { "#" + $0.digest } ?? "") + unchecked
    }

    private func headers(of request: ImageRequest, url: ImageURL) -> [HeaderField] {
        let headers = HeaderField.joined(usualHeaders, request.headers)
        return hooks.headers?(url, headers) ?? headers
    }

    private func policy(of request: ImageRequest, url: ImageURL) -> TransferPolicy {
        var policy = TransferPolicy()
        policy.handlesCookies = request.options.contains(.handleCookies)
        policy.allowsInvalidCertificates = request.options.contains(.allowInvalidCertificates)
        policy.refusesPrivateAddresses = request.origin.refusesPrivateAddresses
        if let credentials = hooks.credentials, let host = url.host {
            policy.credentials = credentials(host)
        }
        return policy
    }
}

extension HeaderField {
    /// `usual` fields and a request's `own`, which win by name.
    static func joined(_ usual: [HeaderField], _ own: [HeaderField]) -> [HeaderField] {
        guard !own.isEmpty else { return usual }
        return usual.filter { field in !own.contains { $0.isNamed(field.name) } } + own
    }
}

extension RequestOrigin {
    /// Whether its URLs may lead to this machine and its neighbours (row F32).
    var refusesPrivateAddresses: Bool { self == .remoteFeed }
}
