/// A width and a height in pixels; neither is negative.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
    /// Pixels from left to right.
    public let width: Int
    /// Pixels from top to bottom.
    public let height: Int

    /// Makes a size; negative sides count as 0.
    public init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
    }

    /// The number of pixels; sides above 2^31 are cut so that the product can't overflow.
    public var pixelCount: Int {
        min(width, Int(Int32.max)) * min(height, Int(Int32.max))
    }

    /// Whether there is nothing to show.
    public var isEmpty: Bool { width == 0 || height == 0 }

    /// The size as people write it, "640×480".
    public var description: String { "\(width)×\(height)" }
}

/// How a picture is laid into a target size; the aspect ratio is always kept.
public enum ContentMode: String, Hashable, Sendable {
    /// The whole picture, as large as fits.
    case fit
    /// Covers the whole target; what hangs over is left for the caller to crop.
    case fill
}

extension PixelSize {
    /// The size of a picture of this size once it is laid into `target`: never enlarged, at least
    /// one pixel each way.
    public func scaled(into target: PixelSize, mode: ContentMode) -> PixelSize {
        guard !isEmpty, !target.isEmpty else { return self }
        let horizontal = Double(target.width) / Double(width)
        let vertical = Double(target.height) / Double(height)
        let factor = mode == .fit ? min(horizontal, vertical) : max(horizontal, vertical)
        guard factor < 1 else { return self }
        return PixelSize(
            width: max(1, Int((Double(width) * factor).rounded())),
            height: max(1, Int((Double(height) * factor).rounded()))
        )
    }
}
