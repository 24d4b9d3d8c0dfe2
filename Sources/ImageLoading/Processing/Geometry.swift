public import Decoders

extension ImageProcessor {
    /// Scales an image down to `size` by averaging in linear light, keeping its aspect ratio.
    ///
    /// A smaller image stays unchanged. Use this processor to resize an image after another
    /// processor has run. Otherwise, use the `targetSize` of the request: it scales the image down
    /// while the file is decoded, which takes less time and memory.
    public static func resize(to size: PixelSize, mode: ImageContentMode = .fit) -> ImageProcessor {
        ImageProcessor(
            identifier: "resize(\(size.width)x\(size.height),\(mode.rawValue))"
        ) { image, isCancelled in
            guard !isCancelled() else { return nil }
            let target = image.pixels.size.scaled(into: size, mode: mode)
            guard target != image.pixels.size else { return image }
            return image.with(image.pixels.resampled(to: target))
        }
    }

    /// Crops an image to `rect`, which is in pixels.
    ///
    /// Parts of `rect` outside the image are ignored. If no pixels remain, the load fails with a
    /// `processing` error.
    public static func crop(to rect: PixelRect) -> ImageProcessor {
        ImageProcessor(
            identifier: "crop(\(rect.x),\(rect.y),\(rect.width)x\(rect.height))"
        ) { image, isCancelled in
            image.cropped(to: rect, isCancelled)
        }
    }

    /// Crops an image to `size` around its center.
    ///
    /// If the image is already smaller than `size` in one dimension, that dimension stays
    /// unchanged.
    public static func crop(to size: PixelSize) -> ImageProcessor {
        ImageProcessor(
            identifier: "crop(\(size.width)x\(size.height))"
        ) { image, isCancelled in
            let whole = image.pixels.size
            let width = min(whole.width, size.width)
            let height = min(whole.height, size.height)
            let middle = PixelRect(
                x: (whole.width - width) / 2,
                y: (whole.height - height) / 2,
                width: width,
                height: height
            )
            return image.cropped(to: middle, isCancelled)
        }
    }

    /// The direction in which `flip` mirrors an image.
    public enum FlipAxis: String, Hashable, Sendable, CaseIterable {
        /// Left becomes right.
        case horizontal
        /// Top becomes bottom.
        case vertical
    }

    /// Mirrors an image.
    public static func flip(_ axis: FlipAxis) -> ImageProcessor {
        ImageProcessor(identifier: "flip(\(axis.rawValue))") { image, isCancelled in
            let (width, height) = (image.pixels.size.width, image.pixels.size.height)
            return switch axis {
            case .horizontal:
                image.rearranged(size: image.pixels.size, isCancelled) { row in
                    (start: row * width + width - 1, step: -1)
                }
            case .vertical:
                image.rearranged(size: image.pixels.size, isCancelled) { row in
                    (start: (height - 1 - row) * width, step: 1)
                }
            }
        }
    }

    /// Rotates an image clockwise by a number of right angles.
    ///
    /// If the number is negative, the image is rotated counterclockwise.
    public static func rotate(quarterTurns: Int) -> ImageProcessor {
        let turns = quarterTurns & 3
        return ImageProcessor(identifier: "rotate(\(turns * 90))") { image, isCancelled in
            image.turned(quarterTurns: turns, isCancelled)
        }
    }
}

extension DecodedImage {
    fileprivate func cropped(to rect: PixelRect, _ isCancelled: () -> Bool) -> DecodedImage? {
        let part = rect.clamped(to: pixels.size)
        let size = PixelSize(width: part.width, height: part.height)
        guard !size.isEmpty else { return nil }
        guard size != pixels.size else { return self }
        let start = part.y * pixels.size.width + part.x
        return rearranged(size: size, isCancelled) { [width = pixels.size.width] row in
            (start: start + row * width, step: 1)
        }
    }

    /// Returns the image rotated clockwise by 0 to 3 right angles.
    func turned(quarterTurns: Int, _ isCancelled: () -> Bool) -> DecodedImage? {
        let (width, height) = (pixels.size.width, pixels.size.height)
        let turned = PixelSize(width: height, height: width)
        return switch quarterTurns & 3 {
        case 1:
            rearranged(size: turned, isCancelled) { row in
                (start: (height - 1) * width + row, step: -width)
            }
        case 2:
            rearranged(size: pixels.size, isCancelled) { row in
                (start: (height - row) * width - 1, step: -1)
            }
        case 3:
            rearranged(size: turned, isCancelled) { row in (start: width - 1 - row, step: width) }
        default: self
        }
    }

    /// Returns an image of `size` whose rows are copied from this image.
    ///
    /// For each row of the new image, `place` returns the index of the first pixel to copy and the
    /// distance from each pixel to the next pixel to copy.
    fileprivate func rearranged(
        size: PixelSize,
        _ isCancelled: () -> Bool,
        from place: (_ row: Int) -> (start: Int, step: Int)
    ) -> DecodedImage? {
        remade(size: size, hasAlpha: pixels.hasAlpha, isCancelled) { row, source, target in
            var (index, step) = place(row)
            for column in 0..<size.width {
                target[column] = source[index]
                index += step
            }
        }
    }
}
