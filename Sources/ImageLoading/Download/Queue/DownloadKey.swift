/// What makes two downloads one transfer: the URL and every header that may change the answer
/// (rows D10, F24).
struct DownloadKey: Hashable, Sendable {
    let url: String
    let headers: [HeaderField]
    let policy: TransferPolicy

    init(_ request: DownloadRequest) {
        url = request.url
        policy = request.policy
        headers = request.headers
            .map { HeaderField($0.name.lowercased(), $0.value) }
            .sorted { ($0.name, $0.value) < ($1.name, $1.value) }
    }

    /// Host and port as they stand in the URL, without user and password.
    ///
    /// Enough to tell servers apart: the URL is normalised, so the same server is not spelled in
    /// two ways.
    var authority: String {
        let bytes = url.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return url }
        let rest = bytes[colon...].dropFirst(3)
        let authority = rest.prefix { byte in
            byte != UInt8(ascii: "/") && byte != UInt8(ascii: "?") && byte != UInt8(ascii: "#")
        }
        let afterUser = authority.lastIndex(of: UInt8(ascii: "@")).map(authority.index(after:))
        return String(url[(afterUser ?? authority.startIndex)..<authority.endIndex])
    }
}
