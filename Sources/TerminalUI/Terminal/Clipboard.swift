/// The clipboard of the user's terminal.
enum Clipboard {
    /// Returns the sequence that sets the clipboard (OSC 52).
    ///
    /// The sequence works through ssh too, where programs on this machine cannot set the clipboard
    /// of the user's machine.
    package static func sequence(_ text: String) -> [UInt8] {
        Array("\u{1B}]52;c;\(Base64.encode(text))\u{7}".utf8)
    }
}
