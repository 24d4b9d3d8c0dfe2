/// Decoded pixels in 8-bit RGBA.
///
/// Colors are sRGB, alpha is straight (not premultiplied), and rows are stored from top to bottom
/// without padding.
///
/// Copies of a buffer share the pixels, so copying is fast.
public struct PixelBuffer: Equatable, Sendable {
    @usableFromInline var storage: PixelStorage

    /// Creates a buffer of `bytes`, which must contain `size.pixelCount * 4` bytes.
    public init(size: PixelSize, bytes: [UInt8], hasAlpha: Bool) {
        precondition(bytes.count == size.pixelCount * 4, "four bytes a pixel")
        storage = PixelStorage(size: size, bytes: bytes, hasAlpha: hasAlpha)
    }

    init(_ storage: PixelStorage) {
        self.storage = storage
    }

    /// The width and height of the image.
    @inlinable public var size: PixelSize { storage.size }

    /// The `size.width * size.height * 4` bytes in the order R, G, B, A.
    @inlinable public var bytes: [UInt8] { storage.bytes }

    /// Whether any pixel may have an alpha below 255.
    @inlinable public var hasAlpha: Bool { storage.hasAlpha }

    /// Returns whether two buffers have the same size, bytes and `hasAlpha`.
    public static func == (one: PixelBuffer, other: PixelBuffer) -> Bool {
        one.storage === other.storage
            || one.size == other.size && one.hasAlpha == other.hasAlpha && one.bytes == other.bytes
    }
}

/// The storage shared by all copies of a buffer; a class so that it can be referenced weakly.
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

/// A weak reference to a buffer, valid as long as a copy of the buffer exists.
package struct WeakPixelBuffer: Sendable {
    private weak var storage: PixelStorage?

    /// Creates a reference to `buffer` that does not keep its pixels alive.
    package init(_ buffer: PixelBuffer) {
        storage = buffer.storage
    }

    /// The buffer, or nil if no copy of it exists.
    package var buffer: PixelBuffer? { storage.map(PixelBuffer.init) }
}

extension PixelBuffer {
    /// Returns whether no other copy of the buffer exists.
    ///
    /// The result is exact only if no other thread copies the buffer or loads a weak reference to
    /// it at the same time.
    package mutating func isHeldAlone() -> Bool {
        isKnownUniquelyReferenced(&storage)
    }
}
