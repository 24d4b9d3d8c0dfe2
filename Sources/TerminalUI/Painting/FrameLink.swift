/// A part of a row that opens a URL when clicked (OSC 8).
package struct FrameLink: Equatable, Sendable {
    package let row: Int
    package let columns: Range<Int>
    /// The URL in printable ASCII characters without spaces.
    private let url: String

    /// Creates a link.
    ///
    /// Control characters and non-ASCII characters in the URL are percent-encoded because the URL
    /// is part of a control sequence. Returns nil if the URL has more than 2,048 bytes because
    /// terminals ignore longer URLs.
    package init?(row: Int, columns: Range<Int>, url: String) {
        guard url.utf8.count <= 2048 else { return nil }
        (self.row, self.columns) = (row, columns)
        var encoded = ""
        for byte in url.utf8 {
            if (0x21..<0x7F).contains(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.utf8.count < 2 ? "%0\(digits)" : "%\(digits)"
            }
        }
        self.url = encoded
    }

    /// Appends the start of the link at its first column, and its end after its last column.
    func appendMark(at column: Int, to writer: inout ByteWriter) {
        guard column == columns.lowerBound || column == columns.upperBound else { return }
        writer.append("\u{1B}]8;;")
        if column == columns.lowerBound { writer.append(bytes: url.utf8) }
        writer.append("\u{1B}\\")
    }
}
