import GalleryCore

extension ByteWriter {
    /// Changes the terminal's style with one SGR sequence, or none.
    ///
    /// Only the form with semicolons is used for colours: some terminals (and older tmux) don't
    /// read `38:2::r:g:b`.
    mutating func change(_ style: inout CellStyle, to wanted: CellStyle) {
        guard style != wanted else { return }
        append("\u{1B}[")
        if !style.attributes.isSubset(of: wanted.attributes) {
            // One code per attribute would switch it off too, but bold and dim share theirs.
            append("0;")
            style = CellStyle()
        }
        for (attribute, code) in Self.attributeCodes
        where wanted.attributes.contains(attribute) && !style.attributes.contains(attribute) {
            append(code)
            append(UInt8(ascii: ";"))
        }
        if style.foreground != wanted.foreground {
            append(color: wanted.foreground, base: 30)
        }
        if style.background != wanted.background {
            append(color: wanted.background, base: 40)
        }
        replaceLast(with: UInt8(ascii: "m"))
        style = wanted
    }

    private static let attributeCodes: [(CellAttributes, UInt8)] = [
        (.bold, UInt8(ascii: "1")), (.dim, UInt8(ascii: "2")),
        (.underline, UInt8(ascii: "4")), (.reverse, UInt8(ascii: "7")),
    ]

    /// Appends the parameters of one colour, each with a semicolon behind it.
    private mutating func append(color: CellColor, base: UInt8) {
        switch color.kind {
        case .terminalDefault:
            append(decimal: base + 9)
        case .palette(let index) where index < 8:
            append(decimal: base + index)
        case .palette(let index) where index < 16:
            append(decimal: base + 60 + index - 8)
        case .palette(let index):
            append(decimal: base + 8)
            append(";5;")
            append(decimal: index)
        case .rgb(let red, let green, let blue):
            append(decimal: base + 8)
            append(";2;")
            append(decimals: red, green, blue)
        }
        append(UInt8(ascii: ";"))
    }
}
