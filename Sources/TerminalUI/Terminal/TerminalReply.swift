/// A sequence from the terminal that is not a key, usually the reply to a query.
///
/// Replies arrive in the same stream as keys and look similar.
package enum TerminalReply: Hashable, Sendable {
    /// A control sequence without `ESC [`: its parameters and its final character.
    case sequence(String)
    /// A string: its introducer, and the text between the introducer and the terminator (`ESC \` or
    /// BEL).
    case string(Introducer, String)

    /// The character after ESC that starts a string (ECMA-48, 5.6).
    package enum Introducer: UInt32, Sendable {
        /// DCS: `ESC P`.
        case deviceControl = 0x50
        /// SOS: `ESC X`.
        case startOfString = 0x58
        /// OSC: `ESC ]`.
        case systemCommand = 0x5D
        /// PM: `ESC ^`.
        case privacyMessage = 0x5E
        /// APC: `ESC _`.
        case applicationCommand = 0x5F
    }

    /// The reply as displayed to the user, without control characters and non-ASCII characters.
    package var description: String {
        switch self {
        case .sequence(let text): "ESC [ \(text.printableASCII)"
        case .string(let introducer, let text):
            "ESC \(Character(Unicode.Scalar(UInt8(introducer.rawValue)))) \(text.printableASCII)"
        }
    }
}

extension String {
    /// The first 64 printable ASCII characters.
    ///
    /// Text from a terminal or the environment may contain arbitrary characters.
    var printableASCII: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.lazy.filter { (0x20..<0x7F).contains($0.value) }.prefix(64)
            )
        )
    }
}
