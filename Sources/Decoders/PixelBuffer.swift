/// Decoded pixels: 8-bit RGBA, sRGB, straight (not premultiplied) alpha, rows from top to bottom
/// without padding.
///
/// Copies share the pixels, and copying counts one reference.
public struct PixelBuffer: Equatable, Sendable {
    @usableFromInline var storage: PixelStorage

    /// Wraps `bytes`, whose count must be `size.pixelCount * 4`.
    public init(size: PixelSize, bytes: [UInt8], hasAlpha: Bool) {
        precondition(bytes.count == size.pixelCount * 4, "four bytes a pixel")
        storage = PixelStorage(size: size, bytes: bytes, hasAlpha: hasAlpha)
    }

    init(_ storage: PixelStorage) {
        self.storage = storage
    }

    /// Width and height.
    @inlinable public var size: PixelSize { storage.size }

    /// `size.width * size.height * 4` bytes in the order R, G, B, A.
    @inlinable public var bytes: [UInt8] { storage.bytes }

    /// Whether any pixel may have an alpha below 255.
    @inlinable public var hasAlpha: Bool { storage.hasAlpha }

    /// Compares the pixels.
    public static func == (one: PixelBuffer, other: PixelBuffer) -> Bool {
        one.storage === other.storage
            || one.size == other.size && one.hasAlpha == other.hasAlpha && one.bytes == other.bytes
    }
}

/// What the copies of a buffer share; an object, so that it can be held weakly.
@usableFromInline
final class PixelStorage: Sendable {
    @usableFromInline let size: PixelSize
    @usableFromInline let bytes: [UInt8]
    @usableFromInline let hasAlpha: Bool

    init(size: PixelSize, bytes: [UInt8], hasAlpha: Bool) {
        self.size = size
        self.bytes = bytes
        self.hasAlpha = hasAlpha
    }
}

/// Finds a buffer again for as long as someone else holds a copy of it.
package struct WeakPixelBuffer: Sendable {
    private weak var storage: PixelStorage?

    /// Refers to `buffer` without keeping its pixels.
    package init(_ buffer: PixelBuffer) {
        storage = buffer.storage
    }

    /// The buffer; nil once its last copy is gone.
    package var buffer: PixelBuffer? { storage.map(PixelBuffer.init) }
}

extension PixelBuffer {
    /// Whether nobody else has a copy.
    ///
    /// Exact only if no one can make a copy or turn a weak reference into one meanwhile.
    package mutating func isHeldAlone() -> Bool {
        isKnownUniquelyReferenced(&storage)
    }
}
