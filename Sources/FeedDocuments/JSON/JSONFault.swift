/// Why some bytes can't be read as JSON.
public enum JSONFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// This machine has no libjansson.
    case noLibrary
    /// The bytes are wrong near a place, counted in bytes; the reason has nothing of the bytes in it.
    case invalid(position: Int, reason: String)

    /// One line.
    public var description: String {
        switch self {
        case .noLibrary: "JSON feeds need libjansson: install libjansson4"
        case .invalid(let position, let reason): "invalid JSON near byte \(position): \(reason)"
        }
    }
}

/// How much a document may hold.
public struct JSONLimits: Hashable, Sendable {
    /// Bytes of text.
    public var byteCount: Int
    /// Values, of which each takes up to 250 bytes of memory.
    public var valueCount: Int
    /// Objects and arrays in one another.
    public var depth: Int

    /// Enough for a document of a few thousand pictures.
    public init(byteCount: Int = 64 << 20, valueCount: Int = 1 << 20, depth: Int = 128) {
        (self.byteCount, self.valueCount, self.depth) = (byteCount, valueCount, depth)
    }
}
