/// How a run of text looks.
struct CellStyle: Hashable, Sendable {
    var foreground: CellColor = .terminalDefault
    var background: CellColor = .terminalDefault
    var attributes: CellAttributes = []

    static let plain = CellStyle()
}
