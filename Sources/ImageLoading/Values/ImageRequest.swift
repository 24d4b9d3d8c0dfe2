// Programs that load images also need the pixels, sizes and limits from `Decoders`, so one import
// provides both modules.
@_exported public import Decoders

/// A request for one image, at one size.
///
/// A URL is sufficient and can be written as a string literal:
///
/// ```swift
/// let request: ImageRequest = "https://example.org/1.jpg"
/// ```
public struct ImageRequest: Hashable, Sendable {
    /// The URL as a string.
    ///
    /// The scheme is `http`, `https`, `file`, `data`, or a scheme that the manager has a source
    /// for. The URL is checked and normalized when the load starts, so a request can be created
    /// with an invalid URL; its load then fails.
    public var url: String
    /// Other URLs of the same image.
    ///
    /// If loading a URL fails, the next one is tried, in this order. Only the last failure is
    /// reported. Each image is cached under its own URL.
    public var alternatives: [String]
    /// The group of requests with the same kinds of alternatives, or nil.
    package var alternativeGroup: AlternativeGroup?
    /// The URL of the page that shows the image, or nil.
    ///
    /// If the server refuses the image, the request is repeated with this page (`Referer`).
    package var page: String?
    /// The box that the image is scaled into, in pixels; nil means full size.
    public var targetSize: PixelSize?
    /// How the image is scaled into `targetSize`.
    public var contentMode: ImageContentMode
    /// The options of the load.
    public var options: LoadingOptions
    /// The priority of the load; `options` can override it (see `effectivePriority`).
    public var priority: LoadPriority
    /// The origin of the URL.
    public var origin: RequestOrigin
    /// Additional header fields, which replace the engine's own fields with the same names.
    ///
    /// Requests with different fields are treated as different images, because the server may send
    /// different responses.
    public var headers: [HeaderField]
    /// The processors for the decoded image, in the order they are applied.
    public var processors: [ImageProcessor]

    /// Creates a request; by default, for the image at full size and with high priority.
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

    /// Creates a request for the image at a URL, at full size and with high priority.
    public init(_ url: String) {
        self.init(url: url)
    }

    /// The priority of the load, with the options taken into account.
    ///
    /// `highPriority` overrides `lowPriority`, and both override `priority`.
    public var effectivePriority: LoadPriority {
        if options.contains(.highPriority) { return .high }
        return options.contains(.lowPriority) ? .low : priority
    }
}

extension ImageRequest: ExpressibleByStringLiteral {
    /// Creates a request for the image at a URL, at full size and with high priority.
    public init(stringLiteral url: String) {
        self.init(url: url)
    }
}

/// The origin of a URL; it determines which schemes the URL may have.
public enum RequestOrigin: Hashable, Sendable {
    /// The URL is from the user, from the program itself, or from one of their files.
    ///
    /// It may have any scheme.
    case local
    /// The URL is from a feed on the network.
    ///
    /// Only `http`, `https` and `data` are allowed. IP addresses of this machine and of private
    /// networks are refused, as are host names that resolve to such an address. Otherwise, an
    /// untrusted feed could make the program read resources that only this machine can reach.
    case remoteFeed
    /// The URL is from a feed on this machine or in a private network.
    ///
    /// Only `http`, `https` and `data` are allowed.
    case privateFeed

    /// Whether the URL is from a feed.
    public var isRemote: Bool { self != .local }
}

/// The priority of a load; a shared load has the highest priority of its listeners.
public enum LoadPriority: Int, Comparable, CaseIterable, Sendable {
    /// The image is loaded before it is needed.
    case low
    /// The image will soon be visible.
    case normal
    /// The image is on the screen.
    case high

    /// Returns whether the left priority is lower.
    public static func < (left: LoadPriority, right: LoadPriority) -> Bool {
        left.rawValue < right.rawValue
    }
}
