/// Finds a buffer again for as long as someone else holds a copy of it.
public struct WeakPixelBuffer: Sendable {
    private weak var storage: PixelStorage?

    /// Refers to `buffer` without keeping its pixels.
    public init(_ buffer: PixelBuffer) {
        storage = buffer.storage
    }

    /// The buffer; nil once its last copy is gone.
    public var buffer: PixelBuffer? { storage.map(PixelBuffer.init) }
}

extension PixelBuffer {
    /// Whether nobody else has a copy.
    ///
    /// Exact only if no one can make a copy or turn a weak reference into one meanwhile.
    package mutating func isHeldAlone() -> Bool {
        isKnownUniquelyReferenced(&storage)
    }
}
