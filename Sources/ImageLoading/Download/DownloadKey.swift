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

    /// Host and port as they stand in the URL.
    ///
    /// Enough to count connections to one server: the URL is normalised, so the same server is not
    /// spelled in two ways.
    var authority: String {
        let bytes = url.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return url }
        let start = bytes[colon...].dropFirst(3).startIndex
        let end = bytes[start...].firstIndex { byte in
            byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
        }
        return String(url[start..<(end ?? url.endIndex)])
    }
}
