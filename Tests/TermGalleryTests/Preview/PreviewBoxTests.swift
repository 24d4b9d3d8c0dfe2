import ArgumentParser
import TerminalUI
import Testing

@testable import TermGallery

@Suite struct PreviewBoxTests {
    private let screen = ScreenSize(columns: 80, rows: 24)

    private func box(
        _ place: String? = nil,
        _ variables: [String: String] = [:],
        isTerminal: Bool = false
    ) -> PreviewBox? {
        PreviewBox(
            place: place.flatMap(PlaceArgument.rect),
            variable: { variables[$0] ?? "" },
            screen: screen,
            isTerminal: isTerminal
        )
    }

    @Test func `the box is that of --place, of fzf, of COLUMNS and LINES, or of the terminal`() {
        let fzf = ["FZF_PREVIEW_COLUMNS": "30", "FZF_PREVIEW_LINES": "10"]
        let shell = ["COLUMNS": "50", "LINES": "20"]
        let both = fzf.merging(shell) { $1 }

        #expect(
            box("40x20@3x2", both) == .place(FrameRect(row: 2, column: 3, rows: 20, columns: 40))
        )
        let fzfSize = ScreenSize(columns: 30, rows: 9)
        #expect(box(nil, both, isTerminal: true) == .lines(fzfSize, passesImages: false))
        #expect(
            box(nil, both.merging(["FZF_TOTAL_COUNT": "7"]) { $1 })
                == .lines(fzfSize, passesImages: true)
        )
        let shellSize = ScreenSize(columns: 50, rows: 20)
        #expect(box(nil, shell) == .lines(shellSize, passesImages: false))
        #expect(box(nil, shell, isTerminal: true) == .terminal(shellSize))
        #expect(box(isTerminal: true) == .terminal(ScreenSize(columns: 80, rows: 23)))
        #expect(box() == .lines(screen, passesImages: false))
    }

    @Test(arguments: ["0", "-3", "", "x", "99999999999999999999"])
    func `an invalid size in the environment is ignored`(value: String) {
        let variables = ["FZF_PREVIEW_COLUMNS": value, "FZF_PREVIEW_LINES": "9"]

        #expect(box(nil, variables) == .lines(screen, passesImages: false))
    }

    @Test func `the part of a box outside the screen is cut off`() {
        #expect(box("40x20@60x10") == .place(FrameRect(row: 10, column: 60, rows: 14, columns: 20)))
        #expect(box("900x900@0x0") == .place(FrameRect(row: 0, column: 0, rows: 24, columns: 80)))
        #expect(box("1x1@80x0") == nil && box("1x1@0x24") == nil)
    }

    @Test func `sixel and inline images leave the last row of the screen free`() {
        let box = box("20x10@0x14")

        #expect(box?.fitted(for: .sixel, on: screen).size == ScreenSize(columns: 20, rows: 9))
        #expect(box?.fitted(for: .kitty, on: screen) == box)
        #expect(box?.fitted(for: nil, on: screen) == box)
    }

    @Test(arguments: [
        "", "x", "40x20", "40x20@", "0x5@0x0", "5x0@0x0", "-5x5@0x0", "5x5@-1x0", "5x5@0x0x0",
        "5x5x5@0", "5@5x0x0", "5x5@0x0@0x0", "1001x5@0x0", "+5x5@0x0", "５x5@0x0",
    ])
    func `an invalid place is refused`(argument: String) {
        #expect(PlaceArgument.rect(argument) == nil)
        #expect(throws: (any Error).self) {
            try PreviewCommand.parse(["--place=\(argument)", "a.png"])
        }
    }

    @Test func `a file and --clear exclude each other`() throws {
        #expect(throws: (any Error).self) { try PreviewCommand.parse([]) }
        #expect(throws: (any Error).self) { try PreviewCommand.parse(["--clear", "a.png"]) }
        #expect(try PreviewCommand.parse(["--clear"]).clear)
    }
}
