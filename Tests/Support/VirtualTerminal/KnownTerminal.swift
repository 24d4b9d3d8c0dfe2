package import Decoders
package import TerminalUI

/// The answers of real terminals, byte for byte: those of Debian 12, and kitty 0.47.4.
///
/// The image numbers in queries of the kitty protocol are replaced by ours.
package struct KnownTerminal: Sendable {
    package let name: String
    package let replies: [String]
    /// The size according to the kernel, for `screen`.
    package let windowPixels: PixelSize?
    package var screen = ScreenSize(columns: 80, rows: 24)

    package static let all = [oldKitty, kitty, xterm, mlterm, konsole, foot]

    package static let oldKitty = KnownTerminal(
        name: "kitty 0.26.5",
        replies: [
            "\u{1B}P>|kitty(0.26.5)\u{1B}\\", "\u{1B}[>1;4000;26c", "\u{1B}[6;18;9t",
            "\u{1B}[4;432;720t", "\u{1B}[?62;c", "\u{1B}[?2026;2$y", kittyOK(.kittyDirect),
            kittyOK(.kittyCompressed), kittyOK(.kittySharedMemory),
        ],
        windowPixels: PixelSize(width: 720, height: 432)
    )
    package static let kitty = KnownTerminal(
        name: "kitty 0.47.4",
        replies: [
            "\u{1B}P>|kitty(0.47.4)\u{1B}\\", "\u{1B}[>1;4000;47c", "\u{1B}[6;18;9t",
            "\u{1B}[4;432;720t", "\u{1B}[?62;52;c", "\u{1B}[?2026;2$y", kittyOK(.kittyDirect),
            kittyOK(.kittyCompressed), kittyOK(.kittySharedMemory),
        ],
        windowPixels: PixelSize(width: 720, height: 432)
    )
    package static let xterm = KnownTerminal(
        name: "xterm 379 as a VT340",
        replies: [
            "\u{1B}P>|XTerm(379)\u{1B}\\", "\u{1B}[>19;379;0c",
            "\u{1B}[?63;1;2;4;6;9;15;16;22;28c", "\u{1B}[?2026;0$y",
        ],
        windowPixels: PixelSize(width: 724, height: 460)
    )
    package static let mlterm = KnownTerminal(
        name: "mlterm 3.9.0",
        replies: [
            "\u{1B}[>24;279;0c", "\u{1B}[6;22;10t", "\u{1B}[4;528;800t",
            "\u{1B}[?63;1;2;3;4;6;7;15;18;22;29c", "\u{1B}[?2026;0$y",
        ],
        windowPixels: PixelSize(width: 800, height: 528)
    )
    package static let konsole = KnownTerminal(
        name: "Konsole 22.12.3",
        replies: [
            "\u{1B}P>|Konsole 22.12.3\u{1B}\\", "\u{1B}[>1;115;0c", "\u{1B}[6;18;8t",
            "\u{1B}[4;432;640t", "\u{1B}[?62;1;4c",
            "\u{1B}]1337;ReportCellSize=18.0;8.0;1.0\u{7}", kittyOK(.kittyDirect),
            kittyOK(.kittyCompressed),
            "\u{1B}_Gi=\(TerminalQuery.kittySharedMemory.kittyID);ENOTSUPPORTED:\u{1B}\\",
        ],
        windowPixels: PixelSize(width: 642, height: 432)
    )
    package static let foot = KnownTerminal(
        name: "foot 1.13.1",
        replies: [
            "\u{1B}P>|foot(1.13.1)\u{1B}\\", "\u{1B}[>1;011301;0c", "\u{1B}[6;18;9t",
            "\u{1B}[4;468;756t", "\u{1B}[?62;4;22c", "\u{1B}[?2026;2$y",
        ],
        windowPixels: PixelSize(width: 756, height: 468),
        screen: ScreenSize(columns: 84, rows: 26)
    )

    private static func kittyOK(_ query: TerminalQuery) -> String {
        "\u{1B}_Gi=\(query.kittyID);OK\u{1B}\\"
    }

    /// The answers as the decoder hands them out.
    package var answers: TerminalReplies { TerminalReplies(bytes: replies.joined()) }

    /// Returns the resulting capabilities, if the environment contains only `xterm-256color`.
    package func detected(
        pixels: PixelChoice = .auto,
        tmux: TmuxClient? = nil
    ) -> TerminalCapabilities {
        var surroundings = TerminalSurroundings(profile: .plain)
        surroundings.screen = screen
        surroundings.windowPixels = windowPixels
        surroundings.pixels = pixels
        surroundings.tmux = tmux
        return TerminalCapabilities(answers, surroundings)
    }
}

extension ScreenProfile {
    package static let plain = ScreenProfile(
        environment: TerminalEnvironment(term: "xterm-256color"),
        terminfoColors: 256
    )
}

extension TerminalReplies {
    /// Creates the answers from these bytes.
    package init(bytes: String) {
        self.init()
        for reply in DecodedStream([bytes]).replies { _ = take(reply) }
    }
}

/// The events that the decoder returns for bytes in pieces.
package struct DecodedStream: Equatable {
    package var events: [InputEvent] = []
    package var replies: [TerminalReply] = []

    /// Reads the pieces with pauses between them, and waits at the end.
    package init(
        _ pieces: [String],
        pause: Duration = .milliseconds(90),
        expectsReplies: Bool = true
    ) {
        var decoder = InputDecoder()
        decoder.expectsReplies = expectsReplies
        var now = Duration.zero
        for piece in pieces {
            for scalar in piece.unicodeScalars {
                events += decoder.take(.character(scalar.value), now: now)
            }
            events += decoder.endOfReading()
            now += pause
            events += decoder.expire(now: now)
        }
        events += decoder.expire(now: now + .seconds(10))
        replies = decoder.takeReplies()
    }
}
