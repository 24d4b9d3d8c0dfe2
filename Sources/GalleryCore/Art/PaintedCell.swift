/// How a cell looks: a pattern of its symbol set in two colours.
struct PaintedCell {
    var pattern: UInt8
    var foreground: CellColor
    var background: CellColor
}
