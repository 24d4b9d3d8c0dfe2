/// A buffer that collects the bytes for the terminal, so each frame needs only one call to `write`.
struct ByteWriter {
    /// The bytes appended since the last `removeAll()`.
    package private(set) var bytes: [UInt8] = []

    /// The strings "0;" to "255;", and the number of digits in each.
    ///
    /// The first character of a string is in the lowest byte. Colors make up most of a frame, and
    /// computing each digit with a division was visible in a profile.
    private static let decimals: [(text: UInt32, digitCount: Int)] = (0...255).map { value in
        let digits = String(value).utf8
        let text = (Array(digits) + [UInt8(ascii: ";")]).reversed()
        return (text.reduce(0) { $0 << 8 | UInt32($1) }, digits.count)
    }
    private let decimals = Self.decimals

    /// Removes all bytes but keeps the buffer's capacity.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    package mutating func append(_ text: StaticString) {
        bytes.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        )
    }

    package mutating func append(bytes more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }

    /// Replaces the last byte; the writer must not be empty.
    mutating func replaceLast(with byte: UInt8) {
        bytes[bytes.count - 1] = byte
    }

    package mutating func append(_ byte: UInt8) {
        bytes.append(byte)
    }

    package mutating func append(decimal value: UInt8) {
        let (text, count) = decimals[Int(value)]
        bytes.append(UInt8(truncatingIfNeeded: text))
        if count > 1 { bytes.append(UInt8(truncatingIfNeeded: text >> 8)) }
        if count > 2 { bytes.append(UInt8(truncatingIfNeeded: text >> 16)) }
    }

    /// Appends three numbers separated by semicolons, such as the components of a color, in a
    /// single operation.
    package mutating func append(decimals first: UInt8, _ second: UInt8, _ third: UInt8) {
        let (decimals, width) = (decimals, MemoryLayout<UInt32>.size)
        withUnsafeTemporaryAllocation(byteCount: 3 * width, alignment: width) { room in
            var end = 0
            func put(_ value: UInt8) {
                let (text, digitCount) = decimals[Int(value)]
                room.storeBytes(of: text.littleEndian, toByteOffset: end, as: UInt32.self)
                end += digitCount + 1
            }
            put(first)
            put(second)
            put(third)
            bytes.append(contentsOf: room[..<(end - 1)])
        }
    }

    package mutating func append(decimal value: Int) {
        if let small = UInt8(exactly: value) {
            append(decimal: small)
        } else {
            bytes.append(contentsOf: String(value).utf8)
        }
    }

    /// Appends a scalar as UTF-8.
    ///
    /// Invalid scalars and control characters are replaced with U+FFFD.
    package mutating func append(scalar value: UInt32) {
        switch value {
        case 0x20..<0x7F:
            bytes.append(UInt8(truncatingIfNeeded: value))
        case 0xA0..<0x800:
            bytes.append(0xC0 | UInt8(truncatingIfNeeded: value >> 6))
            bytes.append(0x80 | UInt8(truncatingIfNeeded: value & 0x3F))
        case 0x800..<0xD800, 0xE000..<0x1_0000:
            bytes.append(0xE0 | UInt8(truncatingIfNeeded: value >> 12))
            bytes.append(0x80 | UInt8(truncatingIfNeeded: value >> 6 & 0x3F))
            bytes.append(0x80 | UInt8(truncatingIfNeeded: value & 0x3F))
        case 0x1_0000..<0x11_0000:
            bytes.append(0xF0 | UInt8(truncatingIfNeeded: value >> 18))
            bytes.append(0x80 | UInt8(truncatingIfNeeded: value >> 12 & 0x3F))
            bytes.append(0x80 | UInt8(truncatingIfNeeded: value >> 6 & 0x3F))
            bytes.append(0x80 | UInt8(truncatingIfNeeded: value & 0x3F))
        default:
            append(scalar: 0xFFFD)
        }
    }
}

extension ByteWriter {
    /// Changes the terminal's style with a single SGR sequence, unless the style is already active.
    ///
    /// Colors always use the form with semicolons because some terminals and older versions of tmux
    /// do not parse `38:2::r:g:b`.
    package mutating func change(_ style: inout CellStyle, to wanted: CellStyle) {
        guard style != wanted else { return }
        if style.attributes == wanted.attributes, changeColors(from: style, to: wanted) {
            style = wanted
            return
        }
        append("\u{1B}[")
        if !style.attributes.isSubset(of: wanted.attributes) {
            // The whole style is reset because a single code turns off both bold and dim.
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

    /// Appends the sequence that changes one or two 24-bit colors, in a single operation.
    ///
    /// Most image cells need such a sequence. Returns false if a color is not a 24-bit color.
    private mutating func changeColors(from style: CellStyle, to wanted: CellStyle) -> Bool {
        let (foreground, background) = (wanted.foreground, wanted.background)
        let changesForeground = style.foreground != foreground
        let changesBackground = style.background != background
        guard !changesForeground || foreground.isRGB, !changesBackground || background.isRGB else {
            return false
        }
        let decimals = decimals
        withUnsafeTemporaryAllocation(byteCount: 48, alignment: 8) { room in
            // Writes unaligned words. Each word overwrites the excess bytes of the previous one.
            room.storeBytes(of: Self.escape.littleEndian, as: UInt16.self)
            var end = 2
            func put(_ value: UInt8) {
                let (text, digitCount) = decimals[Int(value)]
                room.storeBytes(of: text.littleEndian, toByteOffset: end, as: UInt32.self)
                end += digitCount + 1
            }
            func put(_ code: UInt64, _ color: CellColor) {
                guard case .rgb(let red, let green, let blue) = color.kind else { return }
                room.storeBytes(of: code.littleEndian, toByteOffset: end, as: UInt64.self)
                end += 5
                put(red)
                put(green)
                put(blue)
            }
            if changesForeground { put(Self.foregroundCode, foreground) }
            if changesBackground { put(Self.backgroundCode, background) }
            room[end - 1] = UInt8(ascii: "m")
            bytes.append(contentsOf: room[..<end])
        }
        return true
    }

    /// The strings ESC "[", "38;2;" and "48;2;"; the first character is in the lowest byte.
    private static let escape: UInt16 = 0x5B1B
    private static let foregroundCode: UInt64 = 0x3B_323B_3833
    private static let backgroundCode: UInt64 = 0x3B_323B_3834

    private static let attributeCodes: [(CellAttributes, UInt8)] = [
        (.bold, UInt8(ascii: "1")), (.dim, UInt8(ascii: "2")),
        (.underline, UInt8(ascii: "4")), (.reverse, UInt8(ascii: "7")),
    ]

    /// Appends the SGR parameters of one color, each followed by a semicolon.
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

extension CellColor {
    fileprivate var isRGB: Bool {
        if case .rgb = kind { true } else { false }
    }
}

extension FrameCell {
    /// The cell's colors and attributes.
    package var style: CellStyle {
        CellStyle(foreground: foreground, background: background, attributes: attributes)
    }

    /// Returns the cell that looks the same and takes the fewest bytes after `style`.
    ///
    /// A space keeps the current foreground. A block in the same color as its background becomes a
    /// space. An upper half block may become a lower half block with swapped colors, or vice versa.
    func cheapest(after style: CellStyle) -> FrameCell {
        guard attributes.isEmpty else { return self }
        let isInvisible = foreground == background && foreground != .terminalDefault
        if scalar == Self.space || isInvisible && Self.blocks.contains(scalar) {
            return blank(after: style)
        }
        let isHalfBlock = scalar == Self.upperHalf || scalar == Self.lowerHalf
        guard isHalfBlock, foreground != .terminalDefault, background != .terminalDefault else {
            return self
        }
        let changes = style.changes(toForeground: foreground, background: background)
        let exchanged = style.changes(toForeground: background, background: foreground)
        guard exchanged < changes else { return self }
        var cell = self
        swap(&cell.foreground, &cell.background)
        cell.scalar = scalar == Self.upperHalf ? Self.lowerHalf : Self.upperHalf
        return cell
    }

    private static let space: UInt32 = 0x20
    private static let upperHalf: UInt32 = 0x2580
    private static let lowerHalf: UInt32 = 0x2584
    /// The block elements, each of which is one cell wide.
    private static let blocks: ClosedRange<UInt32> = 0x2580...0x259F

    private func blank(after style: CellStyle) -> FrameCell {
        var cell = FrameCell(background: background)
        cell.foreground = style.foreground
        if style.attributes.isDisjoint(with: [.reverse, .underline]) {
            cell.attributes = style.attributes
        }
        return cell
    }
}

extension CellStyle {
    /// Returns how many of the two colors must be set, from 0 to 2.
    fileprivate func changes(toForeground wanted: CellColor, background: CellColor) -> Int {
        (foreground == wanted ? 0 : 1) + (self.background == background ? 0 : 1)
    }
}

extension ByteWriter {
    /// Appends a cell that kitty's protocol replaces with a part of an image.
    ///
    /// The row and column are always written. If they were omitted, a terminal would derive them
    /// from the cell to the left, which may not be the last cell written.
    package mutating func append(
        _ part: (id: UInt32, row: Int, column: Int),
        after style: inout CellStyle
    ) {
        let (red, green, blue) = KittyPlaceholder.foreground(id: part.id)
        change(&style, to: CellStyle(foreground: .rgb(red, green, blue)))
        let scalars = KittyPlaceholder.cell(id: part.id, row: part.row, column: part.column)
        for scalar in scalars ?? [" "] { append(scalar: scalar.value) }
    }
}
