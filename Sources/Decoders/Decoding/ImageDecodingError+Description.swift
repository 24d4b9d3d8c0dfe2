extension ImageDecodingError: CustomStringConvertible {
    /// A short reason that fits into a cell of the gallery.
    public var description: String {
        switch self {
        case .unsupportedFormat(let kind): "not a picture: \(kind)"
        case .truncated(let format): "truncated \(format)"
        case .corrupt(let format, let reason): "corrupt \(format): \(reason)"
        case .unsupportedFeature(let format, let feature): "\(format): \(feature) not supported"
        case .tooManyPixels(let size, let limit):
            "too many pixels: \(size), limit \(limit / 1_000_000) MP"
        case .sideTooLong(let size, let limit): "side too long: \(size), limit \(limit)"
        // Of the machine, which doesn't tell how much.
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
