/// What shows through the transparent parts of a picture.
enum Backdrop: Sendable {
    /// Two mid greys: neither a black nor a white logo disappears on them, which any single
    /// background would do.
    case checkerboard
    /// A quiet dark grey, for parts that have not come yet.
    case plain

    /// The grey at a place.
    func grey(row: Int, column: Int) -> Int {
        switch self {
        case .checkerboard: (row / 2 + column / 2).isMultiple(of: 2) ? 0x68 : 0x80
        case .plain: 0x28
        }
    }
}
