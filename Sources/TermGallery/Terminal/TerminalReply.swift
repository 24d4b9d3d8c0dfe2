/// What a terminal sends by itself, most of all its answers to questions.
///
/// A terminal's answers come by the same way as the keys and look much like them.
enum TerminalReply: Hashable, Sendable {
    /// A control sequence: what stands between `ESC [` and its end, and its final character.
    case sequence(String)
    /// A string: what stands between its introducer and its end, `ESC \` or BEL.
    case string(Introducer, String)

    /// The character after Esc that begins a string (ECMA-48, 5.6).
    enum Introducer: UInt32, Sendable {
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

    /// What it is, for people: control characters and what is not ASCII are left out.
    var description: String {
        switch self {
        case .sequence(let text): "ESC [ \(text.printableASCII)"
        case .string(let introducer, let text):
            "ESC \(Character(Unicode.Scalar(UInt8(introducer.rawValue)))) \(text.printableASCII)"
        }
    }
}

extension String {
    /// The first printable ASCII characters: what a terminal or the environment says may hold
    /// anything.
    var printableASCII: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.lazy.filter { (0x20..<0x7F).contains($0.value) }.prefix(64)
            )
        )
    }
}
