import Foundation
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

/// Whole screens in every size and mode, compared with files that were checked by eye.
///
/// `RECORD_SCREENS=1` writes the files again; check the changes before you commit them.
@Suite struct GoldenScreenTests {
    private static let views = [("grid", ""), ("open", " "), ("statistics", "s"), ("help", "?")]

    @Test(arguments: Scene.modes.map(\.name))
    func `every view equals its recorded screen`(mode: String) throws {
        let capabilities = try #require(Scene.modes.first { $0.name == mode }).capabilities
        var text = ""
        for (columns, rows) in Scene.sizes {
            for (view, keys) in Self.views {
                var gallery = Scene.gallery(columns, rows, capabilities)
                gallery.press(keys)
                if view == "open" {
                    gallery.send(.detail(.load(.failed(.notFound))))
                }
                text += "== \(view) \(columns)x\(rows)\n" + Self.drawn(gallery.state.frame())
            }
            let lanes = LaneScene.busy(columns, rows, capabilities)
            text += "== lanes \(columns)x\(rows)\n" + Self.drawn(lanes.state.frame())
        }
        let file = Fixture("screens-\(mode).txt")
        guard getenv("RECORD_SCREENS") == nil else {
            return try text.write(toFile: file.path, atomically: true, encoding: .utf8)
        }
        let expected = try file.text().split(separator: "\n", omittingEmptySubsequences: false)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines != expected {
            Issue.record("to record the screens: RECORD_SCREENS=1 make test FILTER=GoldenScreen")
        }
        #expect(lines.count == expected.count)
        for (line, wanted) in zip(lines, expected) where line != wanted {
            Issue.record("expected \(wanted)\nfound    \(line)")
        }
    }

    /// The characters of each row, and where which look begins: foreground, background, attributes.
    private static func drawn(_ frame: Frame) -> String {
        var text = ""
        for (row, line) in frame.lines.enumerated() {
            var looks = ""
            var last: FrameCell?
            for column in 0..<frame.size.columns {
                let cell = frame[row, column]
                let isSame =
                    cell.foreground == last?.foreground && cell.background == last?.background
                    && cell.attributes == last?.attributes
                if !isSame {
                    looks += " \(column)=\(name(cell.foreground))/\(name(cell.background))"
                    looks += cell.attributes.isEmpty ? "" : "/\(cell.attributes.rawValue)"
                }
                last = cell
            }
            text += "|\(line)\n \(looks)\n"
        }
        return text
    }

    private static func name(_ color: CellColor) -> String {
        switch color.kind {
        case .terminalDefault: "-"
        case .palette(let index): "\(index)"
        case .rgb(let red, let green, let blue):
            [red, green, blue].reduce("#") { text, value in
                text + (value < 16 ? "0" : "") + String(value, radix: 16)
            }
        }
    }
}
