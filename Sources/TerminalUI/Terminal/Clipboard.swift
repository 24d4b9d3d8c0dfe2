internal import Decoders

/// The clipboard of the computer that shows the terminal.
enum Clipboard {
    /// Returns the sequence that sets the clipboard (OSC 52).
    ///
    /// The sequence also works over ssh, where programs on this machine can't set the clipboard of
    /// the user's machine.
    package static func sequence(_ text: String) -> [UInt8] {
        Array("\u{1B}]52;c;\(Base64.encode(text))\u{7}".utf8)
    }
}
