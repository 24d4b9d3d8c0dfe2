public import Decoders

/// Changes a decoded picture; its identifier is part of the key under which the memory cache keeps
/// the result.
///
/// Built in are `resize`, `crop`, `rotate`, `flip`, `roundCorners`, `tint` and `blur`. A request's
/// processors run one after the other:
///
/// ```swift
/// request.processors = [.crop(to: PixelSize(width: 64, height: 64)), .roundCorners(radius: 32)]
/// ```
public struct ImageProcessor: Sendable {
    /// Names what is done, parameters included: equal names stand for equal results.
    public let identifier: String
    /// Makes the new picture; nil ends the load with `ImageLoadingError.Reason.processing`.
    ///
    /// Called on a decode thread; may take long, but should ask its second argument every few rows
    /// whether the result is still wanted, and return nil if it isn't.
    public let process: @Sendable (DecodedImage, _ isCancelled: () -> Bool) -> DecodedImage?

    /// Makes a processor.
    public init(
        identifier: String,
        process: @escaping @Sendable (DecodedImage, _ isCancelled: () -> Bool) -> DecodedImage?
    ) {
        self.identifier = identifier
        self.process = process
    }
}

extension ImageProcessor: Hashable {
    /// Processors are equal if their identifiers are.
    public static func == (left: ImageProcessor, right: ImageProcessor) -> Bool {
        left.identifier == right.identifier
    }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identifier)
    }
}

/// Red, green, blue and alpha of one pixel, as they lie in a `PixelBuffer`.
typealias Pixel = SIMD4<UInt8>

extension DecodedImage {
    /// How many rows are worked on between two looks at `isCancelled`.
    static let rowsBetweenLooks = 16

    /// The most pixels that a processor makes of a smaller picture: as many as may be decoded.
    static let largestPixelCount = DecodingLimits().maximumPixelCount

    /// The same picture with other pixels.
    func with(_ pixels: PixelBuffer) -> DecodedImage {
        DecodedImage(
            pixels: pixels,
            properties: properties,
            isFinal: isFinal,
            damage: damage,
            isThumbnail: isThumbnail
        )
    }

    /// A picture of `size` that is made row by row from the pixels of this one.
    ///
    /// Nil if nobody waits for it any more; the picture itself if one of both is empty.
    /// `makeRow` gets the number of a row, this picture's pixels, and the row's pixels to set.
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
                // An array's elements begin at a multiple of 16 bytes, and a pixel's at one of 4.
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
