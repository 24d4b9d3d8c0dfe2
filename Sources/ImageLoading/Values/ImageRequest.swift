// Programs that load images also need the pixels, sizes and limits from `Decoders`, so one import
// provides both modules.
@_exported public import Decoders

/// A request for one image, at one size.
///
/// A URL is sufficient, and can be written as a string literal:
///
/// ```swift
/// let request: ImageRequest = "https://example.org/1.jpg"
/// ```
public struct ImageRequest: Hashable, Sendable {
    /// The URL as a string, with the scheme `http`, `https`, `file`, `data`, or a scheme for which
    /// the manager has a source.
    ///
    /// The URL is validated and normalized when the load starts, so that an invalid URL results in
    /// a failed load instead of an optional.
    public var url: String
    /// Other URLs of the same image, tried in this order, each after the load of the previous one
    /// has failed.
    ///
    /// Only the last failure is reported. Each image is cached under its own URL.
    public var alternatives: [String]
    /// The box to decode into, in pixels; nil decodes at full size.
    public var targetSize: PixelSize?
    /// The way in which the image is fitted into `targetSize`.
    public var contentMode: ImageContentMode
    /// The options of the load.
    public var options: LoadingOptions
    /// The priority of the load; flags in `options` override it (`effectivePriority`).
    public var priority: LoadPriority
    /// The origin of the URL.
    public var origin: RequestOrigin
    /// Header fields that are added to the engine's own fields, or replace fields of the same name.
    ///
    /// Requests with different fields are treated as different images, because a server may respond
    /// differently.
    public var headers: [HeaderField]
    /// The processors that are applied to the decoded image, in this order.
    public var processors: [ImageProcessor]

    /// Creates a request, by default for the whole image at high priority.
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

    /// Creates a request for the whole image at a URL, at high priority.
    public init(_ url: String) {
        self.init(url: url)
    }

    /// The priority of the load, including flags: `highPriority` overrides `lowPriority`, and both
    /// override `priority`.
    public var effectivePriority: LoadPriority {
        if options.contains(.highPriority) { return .high }
        return options.contains(.lowPriority) ? .low : priority
    }
}

extension ImageRequest: ExpressibleByStringLiteral {
    /// Creates a request for the whole image at a URL, at high priority.
    public init(stringLiteral url: String) {
        self.init(url: url)
    }
}

/// The origin of the URL of a request, which determines the schemes that are allowed.
public enum RequestOrigin: Hashable, Sendable {
    /// The URL comes from the user, the program itself, or a file from either of them, and may use
    /// any scheme.
    case local
    /// The URL comes from a feed on the network. Only `http` and `https` are allowed. IP addresses
    /// of this machine and of private networks are blocked, and so are host names that resolve to
    /// such an address.
    ///
    /// Otherwise an untrusted feed could make the program read resources that only this machine can
    /// reach.
    case remoteFeed
    /// The URL comes from a feed on this machine or a private network. Only `http` and `https` are
    /// allowed.
    case privateFeed

    /// Whether the URL was provided by a feed.
    public var isRemote: Bool { self != .local }
}

/// The priority of a load; a shared load has the highest priority of its listeners.
public enum LoadPriority: Int, Comparable, CaseIterable, Sendable {
    /// The image is loaded before it is needed.
    case low
    /// The image is about to become visible.
    case normal
    /// The image is on the screen.
    case high

    /// Compares priorities by urgency.
    public static func < (left: LoadPriority, right: LoadPriority) -> Bool {
        left.rawValue < right.rawValue
    }
}
