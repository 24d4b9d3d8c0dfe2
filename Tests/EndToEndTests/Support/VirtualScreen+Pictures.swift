import GalleryCore
internal import TerminalUI
import Testing
import VirtualTerminal

extension VirtualScreen {
    /// The row of the status bar.
    var lastLine: String { text(row: size.rows - 1) }

    /// Whether the program's own screen is shown, not the shell's.
    var isAlternate: Bool { modes.contains(1049) }

    /// Whether the terminal is as a shell wants it: its own screen, a cursor, no mouse reports, no
    /// marks around what is pasted.
    var isRestored: Bool {
        let others: Set = [1049, 1000, 1002, 1003, 1006, 2004, 2026, 2027]
        return modes.contains(25) && modes.isDisjoint(with: others)
    }

    /// Where a text begins.
    func place(of text: String) -> (row: Int, column: Int)? {
        for row in 0..<size.rows {
            let line = (0..<size.columns).map { character(row: row, column: $0) }
            let wanted = text.unicodeScalars.map(\.value)
            guard wanted.count <= line.count else { continue }
            for column in 0...line.count - wanted.count
            where line[column...].starts(with: wanted) {
                return (row, column)
            }
        }
        return nil
    }

    /// Returns the colors of the image above a caption; the uncovered part of its card is blank.
    func colors(above caption: String) -> [CellColor.Kind] {
        guard let place = place(of: caption) else { return [] }
        let columns = place.column..<min(place.column + 12, size.columns)
        return (max(0, place.row - 4)..<place.row).flatMap { row in
            columns.filter { character(row: row, column: $0) != 0x20 }.flatMap { column in
                [self[row, column].foreground.kind, self[row, column].background.kind]
            }
        }.filter { $0 != .terminalDefault }
    }

    /// Whether the picture above a caption is the one with this number, and nothing else is there.
    func showsPicture(_ number: Int, above caption: String) -> Bool {
        let wanted = Int(SamplePictures.red(number: number))
        let colors = colors(above: caption)
        return colors.count > 20
            && colors.allSatisfy { color in
                guard case .rgb(let red, _, _) = color else { return false }
                return abs(Int(red) - wanted) < 20
            }
    }

    /// Whether there is anything above a caption.
    func isDrawn(above caption: String) -> Bool {
        guard let place = place(of: caption) else { return false }
        return (max(0, place.row - 4)..<place.row).contains { row in
            (place.column..<min(place.column + 12, size.columns)).contains { column in
                character(row: row, column: column) != 0x20
            }
        }
    }

    /// Returns whether a symbol is at the end of an image's caption.
    func shows(_ sign: Character, after caption: String) -> Bool {
        guard let place = place(of: caption), let scalar = sign.unicodeScalars.first else {
            return false
        }
        let start = place.column + caption.unicodeScalars.count
        let next = (start..<size.columns).lazy.map { character(row: place.row, column: $0) }
            .first { $0 != 0x20 }
        return next == scalar.value
    }

    private func character(row: Int, column: Int) -> UInt32 { self[row, column].scalar }
}

/// In a failed expectation only what a person would see.
extension VirtualScreen: CustomTestStringConvertible {
    /// The modes and the characters.
    var testDescription: String { "modes \(modes.sorted())\n\(text)" }
}
