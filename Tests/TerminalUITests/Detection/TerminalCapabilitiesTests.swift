import Decoders
import Testing
import VirtualTerminal

@testable import TerminalUI

@Suite struct TerminalCapabilitiesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let terminal: KnownTerminal
        let protocols: [GraphicsProtocol]
        let cell: PixelSize
        let depth: ColorDepth
        var sharedMemory = false
        var synchronizes = false
        var testDescription: String { terminal.name }
    }

    static let rows = [
        Row(
            terminal: .oldKitty,
            protocols: [.kitty],
            cell: PixelSize(width: 9, height: 18),
            depth: .trueColor,
            sharedMemory: true,
            synchronizes: true
        ),
        Row(
            terminal: .kitty,
            protocols: [.kittyPlaceholders],
            cell: PixelSize(width: 9, height: 18),
            depth: .trueColor,
            sharedMemory: true,
            synchronizes: true
        ),
        // It answers no query about its cells, and the kernel's figure has its border in it.
        Row(
            terminal: .xterm,
            protocols: [.sixel],
            cell: PixelSize(width: 9, height: 19),
            depth: .palette256
        ),
        Row(
            terminal: .mlterm,
            protocols: [.sixel, .iterm],
            cell: PixelSize(width: 10, height: 22),
            depth: .palette256
        ),
        // It takes kitty's pictures, but not from shared memory.
        Row(
            terminal: .konsole,
            protocols: [.kitty, .iterm, .sixel],
            cell: PixelSize(width: 8, height: 18),
            depth: .trueColor
        ),
        Row(
            terminal: .foot,
            protocols: [.sixel],
            cell: PixelSize(width: 9, height: 18),
            depth: .trueColor,
            synchronizes: true
        ),
    ]

    @Test(arguments: rows)
    func `the responses of six terminals give their capabilities`(row: Row) {
        let detected = row.terminal.detected()

        #expect(detected.protocols == row.protocols, "\(detected.reasons)")
        #expect(detected.cellPixels == row.cell)
        #expect(detected.colorDepth == row.depth)
        #expect(detected.takesSharedMemory == row.sharedMemory)
        #expect(detected.takesCompressedPixels == row.terminal.name.lowercased().hasPrefix("k"))
        #expect(detected.synchronizesOutput == row.synchronizes)
        #expect(detected.reasons.count == row.protocols.count + 2)
    }

    private func detected(
        _ bytes: String,
        change: (inout TerminalSurroundings) -> Void = { _ in }
    ) -> TerminalCapabilities {
        var surroundings = TerminalSurroundings(profile: .plain)
        change(&surroundings)
        return TerminalCapabilities(TerminalReplies(bytes: bytes), surroundings)
    }

    private func named(_ name: String, _ more: String = "") -> String {
        "\u{1B}P>|\(name)\u{1B}\\\(more)\u{1B}[?62;22c"
    }

    private let loaded = "\u{1B}_Gi=\(TerminalQuery.kittyDirect.kittyID);OK\u{1B}\\"

    @Test(arguments: [
        ("ghostty 1.1.3", [GraphicsProtocol.kittyPlaceholders]),
        ("kitty(0.28.0)", [.kittyPlaceholders]),
        ("kitty(0.27.1)", [.kitty]), ("Rio 0.2.0", [.kittyPlaceholders]),
        ("WezTerm 20240203-110809-5046fc22", [.kitty, .iterm]), ("iTerm2 3.6.2", [.iterm, .kitty]),
        ("somebody 1", [.kitty]), ("Zellij(4400)", [.kitty]),
    ])
    func `a terminal that loads a kitty image gets them, some with placeholders by name`(
        name: String,
        protocols: [GraphicsProtocol]
    ) {
        #expect(detected(named(name, loaded)).protocols == protocols)
    }

    @Test(arguments: [
        ("kitty(0.47.4)", [GraphicsProtocol]()), ("ghostty 1.1.3", []), ("Zellij(4400)", []),
        ("mintty 3.6.1", [.iterm]), ("VTE(7802)", []), ("xterm.js(5.5.0)", []), ("", []),
    ])
    func `a name alone proves no kitty graphics`(name: String, protocols: [GraphicsProtocol]) {
        #expect(detected(named(name)).protocols == protocols)
    }

    @Test func `VS Code has inline images if it has sixel`() {
        #expect(
            detected("\u{1B}P>|xterm.js(5.5.0)\u{1B}\\\u{1B}[?62;4;9;22c").protocols
                == [.iterm, .sixel]
        )
    }

    @Test(arguments: [
        "", "\u{1B}[?62;22c", "\u{1B}[?4;6c", "\u{1B}[?1;2c", "\u{1B}_Gi=31;OK\u{1B}\\",
        "\u{1B}_Gi=72463001;EINVAL:OK?\u{1B}\\", "\u{1B}P1+r\u{1B}\\", "\u{1B}P>|\u{1B}\\",
        "\u{1B}]11;rgb:zz/1/2\u{7}", "\u{1B}]11;rgb:1/2\u{7}", "\u{1B}[6;99999999999999999999;1t",
        "\u{1B}[6;0;0t", "\u{1B}[4;1;1t", "\u{1B}[?2026;0$y",
        "\u{1B}]1337;ReportCellSize=nan;1\u{7}",
        "\u{1B}]11;:rgb\u{7}", "\u{1B}]:;1\u{7}", "\u{1B}[c", "\u{1B}[;;y", "\u{1B}P1$rm\u{1B}\\",
    ])
    func `garbage, half a response and another program's response detect nothing`(bytes: String) {
        let found = detected(bytes)

        #expect(found.protocols.isEmpty && found.cellPixels == nil && found.background == nil)
        #expect(found.colorDepth == .palette256 && !found.synchronizesOutput)
        #expect(!found.takesSharedMemory && !found.showsGraphemeClusters)
    }

    @Test(arguments: [
        ("\u{1B}P1+r524742=382F382F38\u{1B}\\", ColorDepth.trueColor),
        ("\u{1B}P1+r5463\u{1B}\\", .trueColor), ("\u{1B}P0+r524742\u{1B}\\", .palette256),
        ("\u{1B}P1$r0;48:2::47:115:155m\u{1B}\\", .trueColor),
        ("\u{1B}P1$r0;48;2;47;115;155m\u{1B}\\", .trueColor),
        ("\u{1B}P1$r0;48:5:31m\u{1B}\\", .palette256), ("\u{1B}P0$r\u{1B}\\", .palette256),
        ("\u{1B}P1$r0m\u{1B}\\", .palette256),
    ])
    func `the terminal reports 24-bit color support`(answer: String, depth: ColorDepth) {
        #expect(detected(answer).colorDepth == depth)
    }

    @Test func `a terminal that reports the nearest color takes precedence over the environment`() {
        let environment = TerminalEnvironment(term: "xterm-256color", colorTerm: "truecolor")
        let profile = ScreenProfile(environment: environment, terminfoColors: 256)

        let found = detected("\u{1B}P1$r0;48:5:31m\u{1B}\\") { $0.profile = profile }

        #expect(profile.depth == .trueColor && found.colorDepth == .palette256)
    }

    @Test func `mlterm, which runs out of 24-bit colors, gets 256`() {
        let environment = TerminalEnvironment(term: "mlterm", colorTerm: "truecolor")
        let profile = ScreenProfile(environment: environment, terminfoColors: 256)

        #expect(detected("\u{1B}[>24;279;0c") { $0.profile = profile }.colorDepth == .palette256)
    }

    @Test func `requested colors are not changed by a response`() {
        let profile = ScreenProfile(
            environment: TerminalEnvironment(term: "xterm-256color"),
            terminfoColors: 256,
            overrides: ScreenOverrides(colorDepth: .ansi16)
        )

        let found = detected(named("kitty(0.47.4)")) { $0.profile = profile }

        #expect(found.colorDepth == .ansi16)
    }

    @Test func `the colors of background and text are read in every length`() {
        let found = detected(
            "\u{1B}]11;rgb:1c1c/2020/2828\u{1B}\\\u{1B}]10;rgba:f/80/fff/ffff\u{7}"
        )

        #expect(found.background == .rgb(0x1C, 0x20, 0x28))
        #expect(found.foreground == .rgb(255, 128, 255))
    }

    @Test func `the text area's size applies only to the screen that was queried`() {
        let bytes = "\u{1B}[4;480;800t"
        #expect(detected(bytes).cellPixels == PixelSize(width: 10, height: 20))
        #expect(detected(bytes) { $0.isAskedScreen = false }.cellPixels == nil)
    }

    @Test(arguments: [(200, 60), (160, 100), (640, 24)])
    func `a window of 640×480 pixels with too many cells has an unknown cell size`(
        columns: Int,
        rows: Int
    ) {
        let found = detected("\u{1B}[4;480;640t") {
            $0.screen = ScreenSize(columns: columns, rows: rows)
            $0.windowPixels = PixelSize(width: 640, height: 480)
        }
        #expect(found.cellPixels == nil)
        #expect(found.reasons.contains("the number of pixels per cell is unknown"))
    }

    @Test func `points of a screen with a finer grid are counted as its pixels`() {
        let found = detected("\u{1B}]1337;ReportCellSize=17.0;8.0;2.0\u{1B}\\")

        #expect(found.cellPixels == PixelSize(width: 16, height: 34) && found.protocols == [.iterm])
    }

    @Test(arguments: [
        (PixelChoice.off, [GraphicsProtocol]()), (.kitty, [.kittyPlaceholders]), (.iterm, [.iterm]),
        (.sixel, [.sixel]), (.auto, [.kittyPlaceholders]),
    ])
    func `the protocol requested with --pixels is used`(
        choice: PixelChoice,
        protocols: [GraphicsProtocol]
    ) {
        #expect(KnownTerminal.kitty.detected(pixels: choice).protocols == protocols)
    }

    @Test(arguments: [
        ("kitty(0.47.4)\n1\n", true, true), ("kitty(0.47.4)\non\n", true, true),
        ("kitty(0.47.4)\n0\n", true, false), ("kitty(0.26.5)\n1\n", false, true),
        ("foot(1.13.1)\nall\n", false, true), ("\n\n", false, false), ("", false, false),
    ])
    func `inside tmux kitty images need placeholders and passing through`(
        output: String,
        hasPlaceholders: Bool,
        passes: Bool
    ) {
        let found = detected("\u{1B}P>|tmux 3.3a\u{1B}\\\u{1B}[?1;2c") {
            $0.tmux = TmuxClient(output: output)
        }

        let isOffered = hasPlaceholders && passes
        #expect(found.protocols == (isOffered ? [.kittyPlaceholders] : []))
        #expect(found.passesThroughTmux == isOffered && found.colorDepth == .trueColor)
        let advises = found.reasons.contains { $0.contains("tmux set -p allow-passthrough on") }
        #expect(advises == (hasPlaceholders && !passes))
    }

    @Test func `tmux with its own sixel support gets sixel`() {
        let found = detected("\u{1B}P>|tmux next-3.8\u{1B}\\\u{1B}[?1;2;4c")

        #expect(found.protocols == [.sixel] && !found.passesThroughTmux)
    }

    @Test(arguments: [
        ("kitty(0.47.4)", "kitty", "0.47.4"), ("Konsole 22.12.3", "Konsole", "22.12.3"),
        ("tmux next-3.8", "tmux", "next-3.8"), ("X\u{1B}[2J", "X[2J", ""), ("foot", "foot", ""),
    ])
    func `a name is read in both forms`(text: String, name: String, version: String) {
        let read = TerminalName(text)

        #expect(read?.name == name && read?.version == version)
    }
}
