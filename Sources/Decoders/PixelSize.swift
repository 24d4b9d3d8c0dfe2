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
public enum ImageContentMode: String, Hashable, Sendable {
    /// The whole picture, as large as fits.
    case fit
    /// Covers the whole target; what hangs over is left for the caller to crop.
    case fill
}

extension PixelSize {
    /// The size of a picture of this size once it is laid into `target`: never enlarged, at least
    /// one pixel each way.
    public func scaled(into target: PixelSize, mode: ImageContentMode) -> PixelSize {
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

/// A rectangle of pixels; it may lie outside of the picture it is used on.
public struct PixelRect: Hashable, Sendable {
    /// The left edge.
    public let x: Int
    /// The top edge.
    public let y: Int
    /// Pixels from left to right; not above 0 is empty.
    public let width: Int
    /// Pixels from top to bottom; not above 0 is empty.
    public let height: Int

    /// Makes a rectangle.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The part inside of a picture of `size`, possibly empty.
    public func clamped(to size: PixelSize) -> PixelRect {
        let left = min(max(0, x), size.width)
        let top = min(max(0, y), size.height)
        let right = Self.end(x, width, limit: size.width)
        let bottom = Self.end(y, height, limit: size.height)
        return PixelRect(
            x: left,
            y: top,
            width: max(0, right - left),
            height: max(0, bottom - top)
        )
    }

    /// `start + length` within 0 and `limit`, also where the sum would overflow.
    private static func end(_ start: Int, _ length: Int, limit: Int) -> Int {
        let (sum, overflow) = start.addingReportingOverflow(max(0, length))
        return overflow ? limit : min(max(0, sum), limit)
    }
}

extension Int {
    /// The sum, or the largest number there is: for adding up what a hostile header asks for.
    func saturatingAdd(_ other: Int) -> Int {
        let sum = addingReportingOverflow(other)
        return sum.overflow ? .max : sum.partialValue
    }

    /// The product, or the largest number there is; neither factor may be negative.
    func saturatingMultiply(by other: Int) -> Int {
        let product = multipliedReportingOverflow(by: other)
        return product.overflow ? .max : product.partialValue
    }
}

extension PixelSize {
    /// Whether a picture of this size is inside one of the other without being made smaller.
    package func isInside(_ other: PixelSize) -> Bool {
        width <= other.width && height <= other.height
    }

    /// The bytes of a picture of this size.
    var byteCount: Int { pixelCount.saturatingMultiply(by: 4) }
}
