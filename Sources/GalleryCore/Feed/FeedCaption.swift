/// The caption of a picture that was given none.
enum FeedCaption {
    /// The last path component, percent-decoded; the host where there is no path.
    static func caption(forURL url: String) -> String {
        guard !url.hasPrefix("data:") else { return "data: picture" }
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard let last = parts.last else { return url }
        return PercentEncoding.decoded(String(last))
    }
}
