/// A namespace for breaking text into lines at spaces, based on its width in columns.
package enum WrappedText {
    /// Returns at most `limit` lines of at most `width` columns.
    ///
    /// If the text is longer, the last line ends with an ellipsis. If `breaksAtSlashes` is true, a
    /// line without spaces ends after a slash, as in a path or a URL.
    package static func lines(
        _ text: FrameText,
        width: Int,
        limit: Int,
        breaksAtSlashes: Bool = false
    ) -> [FrameText] {
        guard width > 0, limit > 0 else { return [] }
        var lines: [FrameText] = []
        var rest = text.columns[...].drop { $0 == 0x20 }
        while !rest.isEmpty {
            if lines.count == limit - 1, rest.count > width {
                lines.append(FrameText(columns: rest, cutTo: width))
                break
            }
            let end = lineEnd(rest, width: width, breaksAtSlashes: breaksAtSlashes)
            lines.append(FrameText(columns: rest[..<end], cutTo: width))
            rest = rest[end...].drop { $0 == 0x20 }
        }
        return lines
    }

    private static func lineEnd(
        _ columns: ArraySlice<UInt32>,
        width: Int,
        breaksAtSlashes: Bool
    ) -> Int {
        guard columns.count > width else { return columns.endIndex }
        let edge = columns.startIndex + width
        if let space = columns[...edge].lastIndex(of: 0x20), space > columns.startIndex {
            return space
        }
        // The slash must be in the second half of the line, which is enough for names of usual
        // length.
        if breaksAtSlashes, let slash = columns[..<edge].lastIndex(of: 0x2F),
            slash + 1 >= columns.startIndex + width / 2
        {
            return slash + 1
        }
        // Without a space, the word is split, but never within a character.
        let start = columns[...edge].lastIndex { !FrameCell.isContinuation($0) } ?? edge
        return start > columns.startIndex ? start : edge
    }
}

extension FrameText {
    /// Creates text of at most `width` columns from sanitized columns; shortened text ends with an
    /// ellipsis.
    fileprivate init(columns: ArraySlice<UInt32>, cutTo width: Int) {
        var kept = Array(columns)
        if kept.count > width {
            kept = Array(columns.prefix(width - 1))
            if FrameCell.isContinuation(columns[columns.startIndex + kept.count]) {
                while let last = kept.popLast(), FrameCell.isContinuation(last) {}
            }
            kept.append(columns.contains { $0 > 0x7F } ? 0x2026 : 0x2E)
        }
        while kept.last == 0x20 { kept.removeLast() }
        self.init(cleaned: kept)
    }
}
