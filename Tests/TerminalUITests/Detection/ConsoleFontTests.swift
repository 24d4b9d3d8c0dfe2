import Testing

@testable import TerminalUI

@Suite struct ConsoleFontTests {
    /// The symbols of the kernel's own font, code page 437, and of Debian's Lat15-Fixed16,
    /// according to their tables.
    static let kernel = font("■↓·◆▐▌█▄▀░▓┌┐└┘×↑←→")
    static let debian = font("●■↓·…✗–▸█░┌┐└┘×↑←→")

    private static func font(_ signs: String) -> Set<UInt32> {
        Set(signs.unicodeScalars.map(\.value)).union(0x20..<0x7F)
    }

    private func profile(_ font: Set<UInt32>?, colors: Int = 8) -> ScreenProfile {
        ScreenProfile(
            environment: TerminalEnvironment(term: "linux", consoleFont: font),
            terminfoColors: colors
        )
    }

    @Test func `images are half blocks if the console font has them, else letters`() {
        #expect(profile(Self.kernel).capabilities.symbols == .halfBlocks)
        #expect(profile(Self.kernel).capabilities.offeredSymbols == [.halfBlocks, .ascii])
        #expect(profile(Self.debian).capabilities.symbols == .ascii)
        #expect(profile(Self.debian).capabilities.offeredSymbols == [.ascii])
        // At the other end of a connection, the font is unknown.
        #expect(profile(nil).capabilities.symbols == .ascii)
        #expect(profile(nil).capabilities.offeredSymbols == [.halfBlocks, .ascii])
        #expect(profile(Self.debian).capabilities.keepsLetters)
    }

    @Test func `characters missing from a console font are not used`() {
        #expect(ConsoleFont.missingSigns(Self.kernel).isSuperset(of: "●…◐‖✗–▸▂▏▎▍▊▋▉▁▃▅▆▇"))
        #expect(ConsoleFont.missingSigns(Self.kernel).isDisjoint(with: "■↓·◆▐▌█▄"))
        #expect(ConsoleFont.missingSigns(Self.debian).isSuperset(of: "◐‖◆▐▌▂▄▓"))
        #expect(
            ConsoleFont.missingSigns(nil).isSuperset(
                of: ConsoleFont.missingSigns(Self.kernel).union(
                    ConsoleFont.missingSigns(Self.debian)
                )
            )
        )
        let xterm = ScreenProfile(
            environment: TerminalEnvironment(term: "xterm-256color"),
            terminfoColors: 256
        )
        #expect(xterm.capabilities.missingSigns.isEmpty)
    }
}
