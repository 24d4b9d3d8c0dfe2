internal import CImageCodecs

/// Why bytes did not become a picture.
public enum ImageDecodingError: Error, Hashable, Sendable {
    /// No registered decoder knows these bytes; the text says what they look like ("HTML page").
    case unsupportedFormat(String)
    /// The file ends before the picture does.
    case truncated(ImageFormat)
    /// The file breaks the rules of its format; the text is the codec's own reason.
    case corrupt(ImageFormat, String)
    /// A kind of file within the format that is not decoded ("12-bit JPEG").
    case unsupportedFeature(ImageFormat, String)
    /// The library that decodes the format is not installed: Debian has it in this package.
    case libraryMissing(ImageFormat, package: String)
    /// The header declares more pixels than the limit allows.
    case tooManyPixels(PixelSize, limit: Int)
    /// The header declares a side that is longer, in pixels, than the limit allows.
    case sideTooLong(PixelSize, limit: Int)
    /// Decoding would hold more bytes than the limit allows.
    case tooMuchMemory(byteCount: Int, limit: Int)
    /// Decoding has taken more processor time than the limit allows.
    case tooMuchTime(Duration, limit: Duration)
    /// A JPEG of more scans, each a pass over all of the picture, than the limit allows.
    case tooManyScans(limit: Int)
    /// A colour profile or EXIF of more bytes than the limit allows.
    case tooMuchMetadata(byteCount: Int, limit: Int)
    /// The picture has no pixels.
    case empty
    /// The caller's cancellation check said stop.
    case cancelled
    /// The decoder ended the process that it worked in ("SIGSEGV").
    case decoderCrashed(String)
    /// Decoders are to work in processes of their own, and can't: the text says why.
    case isolationUnavailable(String)
}

extension ImageDecodingError {
    /// Whether the picture is refused for what it would cost: the bytes may be in order, and other
    /// `DecodingLimits` may let it pass.
    public var isLimit: Bool {
        switch self {
        case .tooManyPixels, .sideTooLong, .tooMuchMemory, .tooMuchTime, .tooManyScans,
            .tooMuchMetadata:
            true
        case .unsupportedFormat, .truncated, .corrupt, .unsupportedFeature, .libraryMissing, .empty,
            .cancelled, .decoderCrashed, .isolationUnavailable:
            false
        }
    }
}

extension ImageDecodingError {
    /// Whether the file ends too early or breaks the rules of its format: something can be there to
    /// be shown all the same.
    public var isDamage: Bool {
        switch self {
        case .truncated, .corrupt: true
        case .unsupportedFormat, .unsupportedFeature, .libraryMissing, .tooManyPixels, .sideTooLong,
            .tooMuchMemory, .tooMuchTime, .tooManyScans, .tooMuchMetadata, .empty, .cancelled,
            .decoderCrashed, .isolationUnavailable:
            false
        }
    }
}

extension ImageDecodingError: CustomStringConvertible {
    /// A short reason that fits into a cell of the gallery.
    public var description: String {
        switch self {
        case .unsupportedFormat(let kind):
            ContentKind.pictureFormats.contains(kind)
                ? "\(kind): this build has no decoder for it" : "not a picture: \(kind)"
        case .truncated(let format): "truncated \(format)"
        case .corrupt(let format, let reason): "corrupt \(format): \(reason)"
        case .unsupportedFeature(let format, let feature): "\(format): \(feature) not supported"
        case .libraryMissing(let format, let package): "\(format): install \(package) and restart"
        case .tooManyPixels(let size, let limit):
            "too many pixels: \(size), limit \(limit / 1_000_000) MP"
        case .sideTooLong(let size, let limit): "side too long: \(size), limit \(limit)"
        // The machine's memory ran out; how much was asked for is not known.
        case .tooMuchMemory(_, limit: 0): "out of memory"
        case .tooMuchMemory(let byteCount, let limit):
            "needs \(Self.bytes(byteCount, limit)) to decode, limit \(Self.bytes(limit, limit))"
        case .tooMuchTime(let spent, let limit):
            "decoding took \(Self.seconds(spent)), limit \(Self.seconds(limit))"
        case .tooManyScans(let limit): "more than \(limit) scans"
        case .tooMuchMetadata(let byteCount, let limit):
            "metadata of \(Self.bytes(byteCount, limit)), limit \(Self.bytes(limit, limit))"
        case .empty: "picture has no pixels"
        case .cancelled: "cancelled"
        case .decoderCrashed(let how): "the decoder crashed (\(how))"
        case .isolationUnavailable(let reason): "decoders can't be isolated: \(reason)"
        }
    }

    /// A number of bytes in the unit that fits the limit, rounded up, so that what is over the limit
    /// looks so.
    private static func bytes(_ count: Int, _ limit: Int) -> String {
        let units = [(20, "MiB"), (10, "KiB"), (0, "B")]
        let (shift, unit) = units.first { limit >= 1 << $0.0 } ?? (0, "B")
        return "\(count >> shift + (count & (1 << shift - 1) == 0 ? 0 : 1)) \(unit)"
    }

    /// Seconds in tenths, rounded up.
    private static func seconds(_ duration: Duration) -> String {
        let tenths = Int((duration / .milliseconds(100)).rounded(.up))
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}

extension ImageDecodingError {
    /// The error behind a codec's status, or nil if it is none.
    ///
    /// Running out of memory inside of a codec is rare, because what a decode holds is added up
    /// before it starts; how much was asked for is not told, so the limit stands for it.
    init?(
        _ status: cic_status,
        of format: ImageFormat,
        message: UnsafePointer<CChar>,
        memoryLimit: Int
    ) {
        switch status {
        case .ok, .end: return nil
        case .truncated: self = .truncated(format)
        case .corrupt: self = .corrupt(format, Self.reason(message, of: format))
        case .unsupported: self = .unsupportedFeature(format, String(cString: message))
        case .empty: self = .empty
        case .out_of_memory:
            self = .tooMuchMemory(byteCount: memoryLimit, limit: memoryLimit)
        }
    }

    /// A codec's words without those that the description begins with.
    private static func reason(_ message: UnsafePointer<CChar>, of format: ImageFormat) -> String {
        let text = String(cString: message)
        let opening = "Corrupt \(format.displayName) data: "
        return text.hasPrefix(opening) ? String(text.dropFirst(opening.count)) : text
    }
}
