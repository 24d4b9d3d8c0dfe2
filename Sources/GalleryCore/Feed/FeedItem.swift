/// One picture of a feed.
public struct FeedItem: Hashable, Sendable {
    /// The picture's absolute URL (`http`, `https`, `file`, `data`); what stood in the feed where it
    /// could not be used.
    public let url: String
    /// The caption as the feed has it; it may hold anything, so draw it through `FrameText` only.
    public let caption: String
    /// Why it can't be loaded; nil if it can be tried.
    public let problem: String?

    /// Makes an item; without a caption, the URL's last path component is it.
    public init(url: String, caption: String? = nil, problem: String? = nil) {
        self.url = url
        self.caption = caption ?? FeedCaption.caption(forURL: url)
        self.problem = problem
    }

    /// Makes an item for a local picture by its absolute path.
    public init(filePath: String) {
        let name = filePath.split(separator: "/").last.map(String.init)
        self.init(url: PercentEncoding.fileURL(path: filePath), caption: name)
    }
}
