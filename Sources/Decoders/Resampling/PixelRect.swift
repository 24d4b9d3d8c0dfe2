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
