/// The `Referer` field of a repeated request, which contains the page that shows the image.
///
/// Some servers send an image only if it is shown on a page of their own site.
enum Referer {
    /// Returns the value of the field; nil if the page must not be revealed to the image's server.
    ///
    /// The value contains neither a login nor a fragment. A page on https is not revealed to a
    /// server on http, and a page in a private network is revealed only to its own server. Other
    /// sites receive only the origin of the page, without its path.
    static func value(page: String?, image: ImageURL) -> String? {
        guard let page, let url = try? ImageURL(parsing: page, origin: .remoteFeed),
            let host = url.host, url.scheme == .http || url.scheme == image.scheme,
            image.scheme == .http || image.scheme == .https
        else { return nil }
        let text = URLParts.withoutLogin(url.absoluteString)
        let (own, other) = (URLParts(text), URLParts(image.absoluteString))
        if own.hostAndPort == other.hostAndPort { return text }
        guard AddressRule.mayBePublic(host: host, isBehindProxy: true) else { return nil }
        return own.hostAndPort.map { "\(url.scheme.text)://\($0)/" }
    }
}
