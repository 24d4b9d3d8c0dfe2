public import Decoders

/// Who wrote the URL of a request down; decides which schemes it may use.
public enum RequestOrigin: Hashable, Sendable {
    /// The person at the keyboard, or a file of theirs: `http`, `https`, `file`, `data`.
    case local
    /// A feed from the network: `http` and `https` only, and no addresses of this machine or of
    /// private networks, whatever name leads there (row F32).
    case remoteFeed
    /// A feed from this machine or a private network: `http` and `https` only.
    case privateFeed

    /// Whether someone on the network wrote the URL down.
    public var isRemote: Bool { self != .local }
}

/// One wish for one picture at one size.
public struct ImageRequest: Hashable, Sendable {
    /// The URL as text; it is checked and normalised when the load starts, so that a bad one gives
    /// one failed load instead of an optional.
    public var url: String
    /// The box to decode into, in pixels; nil decodes at full size.
    public var targetSize: PixelSize?
    /// How the picture is laid into `targetSize`.
    public var contentMode: ImageContentMode
    /// Flags.
    public var options: LoadingOptions
    /// Urgency.
    public var priority: LoadPriority
    /// Who wrote the URL down.
    public var origin: RequestOrigin
    /// Header fields beside, or in place of, the engine's own; they are part of what makes two
    /// requests the same (theme T22).
    public var headers: [HeaderField]
    /// What is done to the decoded picture, in this order (rows M27, M28).
    public var processors: [ImageProcessor]

    /// Makes a request.
    public init(
        url: String,
        targetSize: PixelSize? = nil,
        contentMode: ImageContentMode = .fit,
        options: LoadingOptions = [],
        priority: LoadPriority = .high,
        origin: RequestOrigin = .local,
        headers: [HeaderField] = [],
        processors: [ImageProcessor] = []
    ) {
        self.url = url
        self.targetSize = targetSize
        self.contentMode = contentMode
        self.options = options
        self.priority = priority
        self.origin = origin
        self.headers = headers
        self.processors = processors
    }
}

extension ImageRequest {
    /// How urgent the load is, flags included: `highPriority` wins over `lowPriority`, and both
    /// over `priority` (row D17).
    public var effectivePriority: LoadPriority {
        if options.contains(.highPriority) { return .high }
        return options.contains(.lowPriority) ? .low : priority
    }
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
