/// How large the cells of the grid are wished to be; the layout makes them fill the screen.
public struct CellSize: Hashable, Sendable {
    /// Which of the steps, from the smallest.
    private let step: Int

    private static let widths = [10, 14, 20, 28, 40, 60, 90, 140]

    private init(step: Int) {
        self.step = step
    }

    /// Four by two pictures on 80×24.
    public static let standard = CellSize(step: 2)

    /// The next size up; nil at the largest.
    var larger: CellSize? { step + 1 < Self.widths.count ? CellSize(step: step + 1) : nil }

    /// The next size down; nil at the smallest.
    var smaller: CellSize? { step > 0 ? CellSize(step: step - 1) : nil }

    /// Columns, the gap included.
    var columns: Int { Self.widths[step] }

    /// Rows, caption and gap included: a picture box that is square in pixels.
    var rows: Int { columns / 2 + 1 }
}
