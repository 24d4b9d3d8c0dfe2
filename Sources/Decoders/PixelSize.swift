/// A width and a height in pixels; both are at least 0.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
    /// The number of pixels from left to right.
    public let width: Int
    /// The number of pixels from top to bottom.
    public let height: Int

    /// Creates a size; a negative width or height is treated as 0.
    public init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
    }

    /// The number of pixels.
    ///
    /// A width or height above `Int32.max` is clamped, so the product cannot overflow.
    public var pixelCount: Int {
        min(width, Int(Int32.max)) * min(height, Int(Int32.max))
    }

    /// Whether the size has no pixels.
    public var isEmpty: Bool { width == 0 || height == 0 }

    /// The size as displayed, such as "640×480".
    public var description: String { "\(width)×\(height)" }
}

/// The mode for scaling an image into a target size; the aspect ratio is always preserved.
public enum ImageContentMode: String, Hashable, Sendable {
    /// Scales the entire image to the largest size that fits into the target.
    case fit
    /// Scales the image to cover the entire target; the caller crops the parts outside it.
    case fill
}

extension PixelSize {
    /// Returns the size of this image after it is scaled into `target`.
    ///
    /// The image is never enlarged, and each side has at least one pixel.
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

extension PixelSize {
    /// Returns the largest centered part of this image that has the aspect ratio of `area`.
    package func crop(filling area: PixelSize) -> PixelRect {
        guard !isEmpty, !area.isEmpty else { return PixelRect(x: 0, y: 0, width: 0, height: 0) }
        let width = min(self.width, max(1, self.height * area.width / area.height))
        let height = min(self.height, max(1, self.width * area.height / area.width))
        return PixelRect(
            x: (self.width - width) / 2,
            y: (self.height - height) / 2,
            width: width,
            height: height
        )
    }
}

/// A rectangle of pixels; parts of it may be outside an image.
public struct PixelRect: Hashable, Sendable {
    /// The horizontal position of the left edge, in pixels.
    public let x: Int
    /// The vertical position of the top edge, in pixels.
    public let y: Int
    /// The number of pixels from left to right; if it is not positive, the rectangle is empty.
    public let width: Int
    /// The number of pixels from top to bottom; if it is not positive, the rectangle is empty.
    public let height: Int

    /// Creates a rectangle.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Returns the part of the rectangle that is inside an image of `size`; the result may be
    /// empty.
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

    /// Returns `start + length`, clamped to 0 through `limit`, or `limit` if the sum overflows.
    private static func end(_ start: Int, _ length: Int, limit: Int) -> Int {
        let (sum, overflow) = start.addingReportingOverflow(max(0, length))
        return overflow ? limit : min(max(0, sum), limit)
    }
}

extension Int {
    /// Returns the sum, or `Int.max` on overflow.
    ///
    /// Sizes in headers are untrusted, so their sum may overflow.
    func saturatingAdd(_ other: Int) -> Int {
        let sum = addingReportingOverflow(other)
        return sum.overflow ? .max : sum.partialValue
    }

    /// Returns the product, or `Int.max` on overflow; neither factor may be negative.
    func saturatingMultiply(by other: Int) -> Int {
        let product = multipliedReportingOverflow(by: other)
        return product.overflow ? .max : product.partialValue
    }
}

extension PixelSize {
    /// Returns whether an image of this size fits into `other` without being reduced.
    package func isInside(_ other: PixelSize) -> Bool {
        width <= other.width && height <= other.height
    }

    /// The number of bytes in an image of this size, with 4 bytes per pixel.
    var byteCount: Int { pixelCount.saturatingMultiply(by: 4) }
}
