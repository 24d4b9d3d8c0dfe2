/// Captions, which are shortened in the middle.
///
/// The end of a file name is kept because it distinguishes two photos from the same camera.
extension FrameText {
    /// Creates a sanitized caption of at most `limit` columns.
    ///
    /// If the text is longer, it becomes `head…tail`. The tail consists of the extension (at most
    /// four letters or digits) and the number before it. It takes at least a third and at most half
    /// of the width. If there is not enough space for two columns on each side of the ellipsis,
    /// only the head and the ellipsis remain.
    package static func caption(
        _ text: some StringProtocol,
        limit: Int,
        symbols: SymbolSet,
        graphemeClusters: Bool = false
    ) -> FrameText {
        FrameText(text, symbols: symbols, graphemeClusters: graphemeClusters)
            .cutInTheMiddle(to: limit, hasDots: symbols == .ascii)
    }

    /// Creates a sanitized caption for a terminal.
    package static func caption(
        _ text: some StringProtocol,
        limit: Int,
        on capabilities: ScreenCapabilities
    ) -> FrameText {
        FrameText(text, on: capabilities)
            .cutInTheMiddle(to: limit, hasDots: !capabilities.shows("…"))
    }

    /// Returns the text, shortened in the middle if it is too wide.
    func cutInTheMiddle(to limit: Int, hasDots: Bool) -> FrameText {
        guard width > limit else { return self }
        let dots = Self.ellipsis(limit: limit, isDots: hasDots)
        guard limit >= 4 + dots.count else {
            return FrameText(cleaned: Self.head(columns, limit: limit, ellipsis: dots))
        }
        let wanted = min(max(Self.tellingTail(columns), limit / 3), limit / 2)
        let tail = Self.tail(columns, atMost: wanted)
        let head = Self.head(columns, limit: limit - tail.count, ellipsis: dots)
        return FrameText(cleaned: head + tail)
    }

    /// Returns the last columns, without an incomplete character at the start.
    private static func tail(_ columns: [UInt32], atMost limit: Int) -> ArraySlice<UInt32> {
        columns.suffix(limit).drop(while: FrameCell.isContinuation)
    }

    /// Returns the width of a file name's ending, which distinguishes it from similar names.
    ///
    /// The ending consists of the extension, the number before it, and the separator before the
    /// number.
    private static func tellingTail(_ columns: [UInt32]) -> Int {
        var rest = columns[...]
        let letters = rest.suffix(4).reversed().prefix(while: isLetterOrDigit).count
        // The name may consist of only an extension, such as ".png".
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
