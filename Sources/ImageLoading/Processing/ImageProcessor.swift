public import Decoders

/// A processor that changes a decoded image.
///
/// The identifier of the processor is part of the result's key in the memory cache. The built-in
/// processors are `resize`, `crop`, `rotate`, `flip`, `roundCorners`, `tint` and `blur`. The
/// processors of a request run in order:
///
/// ```swift
/// request.processors = [.crop(to: PixelSize(width: 64, height: 64)), .roundCorners(radius: 32)]
/// ```
public struct ImageProcessor: Sendable {
    /// The name of the processor, including its parameters; equal identifiers mean equal results.
    public let identifier: String
    /// The closure that creates the new image; if it returns nil, the load ends with
    /// `ImageLoadingError.Reason.processing`.
    ///
    /// The closure is called on a decode thread and may take a long time. It should call
    /// `isCancelled` every few rows and return nil if `isCancelled` returns true.
    public let process: @Sendable (DecodedImage, _ isCancelled: () -> Bool) -> DecodedImage?

    /// Creates a processor.
    public init(
        identifier: String,
        process: @escaping @Sendable (DecodedImage, _ isCancelled: () -> Bool) -> DecodedImage?
    ) {
        self.identifier = identifier
        self.process = process
    }
}

extension ImageProcessor: Hashable {
    /// Returns whether two processors have the same identifier.
    public static func == (left: ImageProcessor, right: ImageProcessor) -> Bool {
        left.identifier == right.identifier
    }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identifier)
    }
}

/// A pixel: its red, green, blue and alpha values, in the order of a `PixelBuffer`.
typealias Pixel = SIMD4<UInt8>

extension DecodedImage {
    /// The number of rows processed between two calls to `isCancelled`.
    static let rowsBetweenLooks = 16

    /// The maximum number of pixels in an image that a processor creates from a smaller image.
    static let largestPixelCount = 100_000_000

    /// Returns a copy of this image with different pixels and without an animation.
    func with(_ pixels: PixelBuffer) -> DecodedImage {
        DecodedImage(
            pixels: pixels,
            properties: properties,
            isFinal: isFinal,
            damage: damage,
            isThumbnail: isThumbnail
        )
    }

    /// Returns an image of `size` that is computed row by row from the pixels of this image.
    ///
    /// Returns nil if the load was cancelled, and this image if either size is empty. `makeRow`
    /// receives the number of a row, the pixels of this image, and the pixels of the row to
    /// compute.
    func remade(
        size: PixelSize,
        hasAlpha: Bool,
        _ isCancelled: () -> Bool,
        makeRow: (Int, UnsafePointer<Pixel>, UnsafeMutablePointer<Pixel>) -> Void
    ) -> DecodedImage? {
        guard !size.isEmpty, !pixels.size.isEmpty else { return self }
        let byteCount = size.pixelCount * 4
        let bytes = pixels.bytes.withUnsafeBytes { source in
            [UInt8](unsafeUninitializedCapacity: byteCount) { target, count in
                // The elements of an array are aligned to 16 bytes; a pixel requires an alignment
                // of 4.
                guard let source = source.assumingMemoryBound(to: Pixel.self).baseAddress,
                    let start = UnsafeMutableRawBufferPointer(target)
                        .assumingMemoryBound(to: Pixel.self).baseAddress
                else { return }
                for row in 0..<size.height {
                    if row.isMultiple(of: Self.rowsBetweenLooks), isCancelled() { return }
                    makeRow(row, source, start + row * size.width)
                }
                count = byteCount
            }
        }
        guard bytes.count == byteCount else { return nil }
        return with(PixelBuffer(size: size, bytes: bytes, hasAlpha: hasAlpha))
    }
}
