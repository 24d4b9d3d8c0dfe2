// A program that loads pictures needs their pixels, sizes and limits: one import is enough.
@_exported public import Decoders

/// One picture, at one size, and how it is to be loaded.
///
/// A URL is enough, also as a literal:
///
/// ```swift
/// let request: ImageRequest = "https://example.org/1.jpg"
/// ```
public struct ImageRequest: Hashable, Sendable {
    /// The URL as text: `http`, `https`, `file`, `data`, or a scheme that the manager has a source
    /// for.
    ///
    /// It is checked and normalised when the load starts, so that a bad one gives one failed load
    /// instead of an optional.
    public var url: String
    /// Other places of the same picture, tried in this order, each when the load of the one before
    /// has failed.
    ///
    /// The load hears of the last failure only. Each place is cached under its own URL.
    public var alternatives: [String]
    /// The box to decode into, in pixels; nil decodes at full size.
    public var targetSize: PixelSize?
    /// How the picture is laid into `targetSize`.
    public var contentMode: ImageContentMode
    /// What the load does otherwise than usual.
    public var options: LoadingOptions
    /// How urgent the load is; flags in `options` win over it (`effectivePriority`).
    public var priority: LoadPriority
    /// Who wrote the URL down.
    public var origin: RequestOrigin
    /// Header fields beside, or in place of, the engine's own.
    ///
    /// Requests that differ in them are different pictures: a server may answer otherwise.
    public var headers: [HeaderField]
    /// What is done to the decoded picture, in this order.
    public var processors: [ImageProcessor]

    /// Makes a request; by default for the whole picture at high priority.
    public init(
        url: String,
        alternatives: [String] = [],
        targetSize: PixelSize? = nil,
        contentMode: ImageContentMode = .fit,
        options: LoadingOptions = [],
        priority: LoadPriority = .high,
        origin: RequestOrigin = .local,
        headers: [HeaderField] = [],
        processors: [ImageProcessor] = []
    ) {
        self.url = url
        self.alternatives = alternatives
        self.targetSize = targetSize
        self.contentMode = contentMode
        self.options = options
        self.priority = priority
        self.origin = origin
        self.headers = headers
        self.processors = processors
    }

    /// Makes a request for the whole picture at a URL, at high priority.
    public init(_ url: String) {
        self.init(url: url)
    }

    /// How urgent the load is, flags included: `highPriority` wins over `lowPriority`, and both
    /// over `priority`.
    public var effectivePriority: LoadPriority {
        if options.contains(.highPriority) { return .high }
        return options.contains(.lowPriority) ? .low : priority
    }
}

extension ImageRequest: ExpressibleByStringLiteral {
    /// Makes a request for the whole picture at a URL, at high priority.
    public init(stringLiteral url: String) {
        self.init(url: url)
    }
}

/// Who wrote the URL of a request down; decides which schemes it may use.
public enum RequestOrigin: Hashable, Sendable {
    /// The person at the keyboard, the program itself, or a file of theirs: `http`, `https`, `file`
    /// and `data`.
    case local
    /// A feed from the network: `http` and `https` only, and no addresses of this machine or of
    /// private networks, whatever name leads there. Otherwise a stranger's feed could make the
    /// program read what only this machine can reach.
    case remoteFeed
    /// A feed from this machine or a private network: `http` and `https` only.
    case privateFeed

    /// Whether someone on the network wrote the URL down.
    public var isRemote: Bool { self != .local }
}

/// How urgently a load is wanted; a shared load runs at the highest of its listeners'.
public enum LoadPriority: Int, Comparable, CaseIterable, Sendable {
    /// Prefetching.
    case low
    /// About to become visible.
    case normal
    /// On the screen.
    case high

    /// Orders by urgency.
    public static func < (left: LoadPriority, right: LoadPriority) -> Bool {
        left.rawValue < right.rawValue
    }
}
