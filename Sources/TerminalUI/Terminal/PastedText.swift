/// A buffer for pasted text between the marks of bracketed paste.
///
/// This type has no side effects.
struct PastedText: Equatable {
    private var scalars: [UInt32] = []
    /// The number of characters of the end mark received so far.
    private var matched = 0
    /// The number of characters received, including discarded characters.
    private var count = 0

    private static let end = "\u{1B}[201~".unicodeScalars.map(\.value)
    /// The maximum number of scalars to keep; the rest is discarded.
    private static let longest = 65_536
    /// The number of characters after which the end mark of a paste counts as lost.
    private static let mostCharacters = 1 << 20

    /// Whether the paste is longer than any real paste, so its end mark must have been lost.
    package var isTooLong: Bool { count >= Self.mostCharacters }

    /// Processes a character, and returns whether it completes the end mark.
    package mutating func take(_ scalar: UInt32) -> Bool {
        count += 1
        if scalar == Self.end[matched] {
            matched += 1
            return matched == Self.end.count
        }
        if scalars.count < Self.longest {
            scalars += Self.end[..<matched]
            if scalar != Self.end[0] { scalars.append(scalar) }
        }
        matched = scalar == Self.end[0] ? 1 : 0
        return false
    }

    /// The pasted text without control characters.
    ///
    /// Terminals send line breaks as Return characters, which become newlines here.
    package var text: String {
        let shown = scalars.compactMap { value -> Unicode.Scalar? in
            switch value {
            case 0x0A, 0x0D: "\n"
            case 0x09: "\t"
            case 0x20..<0x7F, 0xA0...: Unicode.Scalar(value)
            default: nil
            }
        }
        return String(String.UnicodeScalarView(shown))
    }
}
