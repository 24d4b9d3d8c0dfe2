/// Captions, which are cut in the middle: what tells two pictures of one camera apart stands at the
/// end of their names.
extension FrameText {
    /// Text cleaned for a caption and cut to `limit` columns.
    ///
    /// Whole if it fits, else `head…tail`. The tail is the extension (of four letters at most) with
    /// the number before it, at least a third of the room and at most half. Where there is no
    /// room for two columns on each side of the dots there is a head only.
    public static func caption(
        _ text: some StringProtocol,
        limit: Int,
        symbols: SymbolSet,
        graphemeClusters: Bool = false
    ) -> FrameText {
        FrameText(text, symbols: symbols, graphemeClusters: graphemeClusters)
            .cutInTheMiddle(to: limit, hasDots: symbols == .ascii)
    }

    /// The same for a terminal.
    static func caption(
        _ text: some StringProtocol,
        limit: Int,
        on capabilities: ScreenCapabilities
    ) -> FrameText {
        FrameText(text, on: capabilities)
            .cutInTheMiddle(to: limit, hasDots: !capabilities.shows("…"))
    }

    /// A cleaned text cut as a caption is.
    func cutInTheMiddle(to limit: Int, hasDots: Bool) -> FrameText {
        guard width > limit else { return self }
        let dots = Self.ellipsis(limit: limit, isDots: hasDots)
        guard limit >= 4 + dots.count else {
            return FrameText(cleaned: Self.head(columns, limit, dots))
        }
        let wanted = min(max(Self.tellingTail(columns), limit / 3), limit / 2)
        let tail = Self.tail(columns, atMost: wanted)
        let head = Self.head(columns, limit - tail.count, dots)
        return FrameText(cleaned: head + tail)
    }

    /// The last columns, without the rest of a character that begins before them.
    private static func tail(_ columns: [UInt32], atMost limit: Int) -> ArraySlice<UInt32> {
        columns.suffix(limit).drop(while: FrameCell.isContinuation)
    }

    /// Columns of the extension and of the number before it, with the sign that parts the number
    /// from the name.
    private static func tellingTail(_ columns: [UInt32]) -> Int {
        var rest = columns[...]
        let letters = rest.suffix(4).reversed().prefix(while: isLetterOrDigit).count
        // The name may be shorter than an extension: a lone ".png" is one.
        if letters > 0, rest.dropLast(letters).last == 0x2E { rest = rest.dropLast(letters + 1) }
        let digits = rest.suffix(8).reversed().prefix { (0x30...0x39).contains($0) }.count
        if digits > 0 {
            rest = rest.dropLast(digits)
            if let sign = rest.last, [0x2D, 0x5F, 0x20].contains(sign) { rest = rest.dropLast() }
        }
        return columns.count - rest.count
    }

    private static func isLetterOrDigit(_ column: UInt32) -> Bool {
        (0x30...0x39).contains(column) || (0x61...0x7A).contains(column | 0x20)
    }
}
