/// A namespace for wrapping commands so that tmux passes them through to the terminal.
///
/// This requires the tmux option `allow-passthrough`.
enum TmuxPassThrough {
    private static let escape: UInt8 = 0x1B
    private static let begin = Array("\u{1B}Ptmux;".utf8)
    private static let end = Array("\u{1B}\\".utf8)

    /// Wraps each command in a separate sequence because tmux limits the length of a sequence.
    ///
    ///     ESC P tmux ; COMMAND ESC \
    ///
    /// Each command ends with `ESC \`. Each ESC in a command is doubled.
    package static func wrap(_ commands: [UInt8]) -> [UInt8] {
        var wrapped: [UInt8] = []
        wrapped.reserveCapacity(commands.count + commands.count / 128)
        var isInside = false
        var previous: UInt8 = 0
        for byte in commands {
            if !isInside {
                wrapped += begin
                isInside = true
            }
            wrapped.append(byte)
            if byte == escape { wrapped.append(escape) }
            if previous == escape, byte == UInt8(ascii: "\\") {
                wrapped += end
                isInside = false
            }
            previous = byte
        }
        if isInside { wrapped += end }
        return wrapped
    }
}
