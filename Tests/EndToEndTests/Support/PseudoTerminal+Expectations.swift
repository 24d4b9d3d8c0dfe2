import Testing
import VirtualTerminal

/// Waits that end the test, with what the screen shows, if what they wait for never comes.
extension PseudoTerminal {
    func expect(
        _ text: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try expect(text, sourceLocation: sourceLocation) { $0.text.contains(text) }
    }

    func expectNo(
        _ text: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try expect("no \(text)", sourceLocation: sourceLocation) { !$0.text.contains(text) }
    }

    /// Waits for the selected picture's number and the feed's length in the status bar.
    func expectPosition(
        _ position: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try expect(position, sourceLocation: sourceLocation) {
            $0.lastLine.hasPrefix(" \(position) ")
        }
    }

    func expect(
        _ what: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        where condition: (VirtualScreen) -> Bool
    ) throws {
        let isThere = wait(until: condition)
        try #require(
            isThere,
            "waited for: \(what)\n\(screen.text)",
            sourceLocation: sourceLocation
        )
    }

    /// Waits for the program's end and checks how it ended.
    func expectEnd(
        _ expected: ExitStatus,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try #require(
            waitForEnd() == expected,
            "\(screen.text)",
            sourceLocation: sourceLocation
        )
    }
}

extension PseudoTerminal {
    /// Whether these bytes are anywhere in what the program wrote.
    func hasWritten(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        return output.indices.contains { output[$0...].starts(with: wanted) }
    }
}
