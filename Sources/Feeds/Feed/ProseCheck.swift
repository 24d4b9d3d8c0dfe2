import ImageLoading

/// Distinguishes running text, such as a README, from a list of images.
///
/// Without the check, every line of a text would become a cell with an error.
enum ProseCheck {
    /// The number of bytes at the start of the text that are checked.
    private static let headByteCount = 16 << 10
    /// The minimum number of lines; a shorter text fills only a few cells.
    private static let leastLines = 3

    /// Returns whether the lines at the start of a text are sentences rather than URLs or paths.
    ///
    /// Blank lines and comments are ignored. At least three quarters of the other lines must be
    /// sentences, and at most a tenth may contain the name of an image or start with a URL.
    static func isProse(_ bytes: some Collection<UInt8>) -> Bool {
        let head = Array(bytes.prefix(headByteCount))
        var lines = head.split(separator: UInt8(ascii: "\n"))
        // The last line may be incomplete.
        if head.count == headByteCount, lines.count > 1 { lines.removeLast() }
        var (imageCount, pathCount, sentenceCount) = (0, 0, 0)
        for line in lines {
            switch kind(of: line) {
            case nil: continue
            case .image: imageCount += 1
            case .path: pathCount += 1
            case .sentence: sentenceCount += 1
            }
            // If a limit for the whole text is exceeded, the remaining lines are not checked, so a
            // list is recognized by its first lines.
            guard imageCount * 10 <= lines.count, pathCount * 4 <= lines.count else { return false }
        }
        let lineCount = imageCount + pathCount + sentenceCount
        return lineCount >= leastLines && sentenceCount * 4 >= lineCount * 3
            && imageCount * 10 <= lineCount
    }

    private enum Kind {
        /// A line that starts with a URL or contains the name of an image.
        case image
        /// A line that may be the path of a file without a suffix.
        case path
        case sentence
    }

    /// Returns the kind of a line, or nil for a blank line or a comment.
    private static func kind(of line: ArraySlice<UInt8>) -> Kind? {
        let words = line.split { [0x20, 0x09, 0x0D].contains($0) }
        guard let first = words.first, let start = first.first, start != UInt8(ascii: "#") else {
            return nil
        }
        let hasSlash = first.contains(UInt8(ascii: "/"))
        if hasSlash, LineParts.schemeByteCount(of: first) != nil { return .image }
        if words.contains(where: isPictureName) { return .image }
        let isLetter = start >= 0x80 || start.isASCIILetterOrDigit || "./~_\"".utf8.contains(start)
        return isLetter && (words.count == 1 || hasSlash) ? .path : .sentence
    }

    /// Returns whether a word ends like the name of an image, before any punctuation marks.
    private static func isPictureName(_ word: ArraySlice<UInt8>) -> Bool {
        let marks = "\"'`)],;.".utf8
        guard let last = word.lastIndex(where: { !marks.contains($0) }) else { return false }
        return PictureNames.endsAsPicture(word[...last])
    }
}

extension UInt8 {
    fileprivate var isASCIILetterOrDigit: Bool {
        let lowercase = self | 0x20
        return (0x61...0x7A).contains(lowercase) || (0x30...0x39).contains(self)
    }
}
