internal import CImageCodecs

/// The reason an image could not be decoded.
public enum ImageDecodingError: Error, Hashable, Sendable {
    /// No registered decoder recognizes the bytes; the text names the apparent file type, such as
    /// "HTML page".
    case unsupportedFormat(String)
    /// The file ends before the end of the image.
    case truncated(ImageFormat)
    /// The file violates its format; the text is the codec's error message.
    case corrupt(ImageFormat, String)
    /// The file uses an unsupported feature of its format, such as "12-bit JPEG".
    case unsupportedFeature(ImageFormat, String)
    /// The library for the format cannot be loaded; `package` names the Debian package that
    /// contains it.
    ///
    /// The name of the missing file follows in parentheses: "libheif1 (libheif.so.1)".
    case libraryMissing(ImageFormat, package: String)
    /// The header declares more pixels than the limit allows.
    case tooManyPixels(PixelSize, limit: Int)
    /// The header declares a width or height that exceeds the limit, in pixels.
    case sideTooLong(PixelSize, limit: Int)
    /// Decoding would use more bytes of memory than the limit allows.
    case tooMuchMemory(byteCount: Int, limit: Int)
    /// Decoding has taken more processor time than the limit allows.
    case tooMuchTime(Duration, limit: Duration)
    /// The JPEG has more scans than the limit allows; each scan is a pass over the entire image.
    case tooManyScans(limit: Int)
    /// The color profile or EXIF block has more bytes than the limit allows.
    case tooMuchMetadata(byteCount: Int, limit: Int)
    /// The image has no pixels.
    case empty
    /// The caller's cancellation check returned true.
    case cancelled
    /// The decoder crashed its helper process; the text is the reason, such as "SIGSEGV".
    case decoderCrashed(String)
    /// Decoders must run in helper processes but cannot; the text is the reason.
    case isolationUnavailable(String)
}

extension ImageDecodingError {
    /// Whether decoding the image would exceed one of the `DecodingLimits`.
    ///
    /// The file may be valid, and higher limits may allow it.
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
    /// Whether the file is truncated or corrupt.
    ///
    /// Part of the image may still be decodable.
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
    /// A short description of the error that fits into a cell of the gallery.
    public var description: String {
        switch self {
        case .unsupportedFormat(let kind): ContentKind.refusal(of: kind)
        case .truncated(let format): "truncated \(format)"
        case .corrupt(let format, let reason): "corrupt \(format): \(reason)"
        case .unsupportedFeature(let format, let feature): "\(format): \(feature) not supported"
        case .libraryMissing(let format, let package): "\(format): install \(package) and restart"
        case .tooManyPixels(let size, let limit):
            "too many pixels: \(size), limit \(limit / 1_000_000) MP"
        case .sideTooLong(let size, let limit): "side too long: \(size), limit \(limit)"
        // The machine is out of memory; the requested number of bytes is unknown.
        case .tooMuchMemory(_, limit: 0): "out of memory"
        case .tooMuchMemory(let byteCount, let limit):
            "needs \(Self.bytes(byteCount, limit)) to decode, limit \(Self.bytes(limit, limit))"
        case .tooMuchTime(let spent, let limit):
            "decoding took \(Self.seconds(spent)), limit \(Self.seconds(limit))"
        case .tooManyScans(let limit): "more than \(limit) scans"
        case .tooMuchMetadata(let byteCount, let limit):
            "metadata of \(Self.bytes(byteCount, limit)), limit \(Self.bytes(limit, limit))"
        case .empty: "image has no pixels"
        case .cancelled: "cancelled"
        case .decoderCrashed(let how): "the decoder crashed (\(how))"
        case .isolationUnavailable(let reason): "decoders can't be isolated: \(reason)"
        }
    }

    /// Returns a byte count in a unit that suits the limit.
    ///
    /// The count is rounded up, so a count above the limit never looks equal to the limit.
    private static func bytes(_ count: Int, _ limit: Int) -> String {
        let units = [(20, "MiB"), (10, "KiB"), (0, "B")]
        let (shift, unit) = units.first { limit >= 1 << $0.0 } ?? (0, "B")
        return "\(count >> shift + (count & (1 << shift - 1) == 0 ? 0 : 1)) \(unit)"
    }

    /// Returns the duration in seconds, rounded up to tenths; ".0" is omitted.
    private static func seconds(_ duration: Duration) -> String {
        let tenths = Int((duration / .milliseconds(100)).rounded(.up))
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}

extension ImageDecodingError {
    /// Creates the error for a codec's status, or returns nil if the status is not an error.
    ///
    /// The memory for a decode is calculated before it starts, so codecs rarely run out of memory.
    /// If they do, the error contains the limit, because a codec does not report how many bytes it
    /// requested.
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

    /// Returns a codec's message without a prefix such as "Corrupt JPEG data: ", because
    /// `description` already contains this information.
    private static func reason(_ message: UnsafePointer<CChar>, of format: ImageFormat) -> String {
        let text = String(cString: message)
        let opening = "Corrupt \(format.displayName) data: "
        return text.hasPrefix(opening) ? String(text.dropFirst(opening.count)) : text
    }
}
