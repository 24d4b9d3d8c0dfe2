import Glibc
import Testing
import VirtualTerminal

/// Waits that fail the test with the content of the screen if the expected event does not occur.
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
    /// Returns whether the program has written these bytes.
    func hasWritten(_ text: String) -> Bool {
        output.contains(text)
    }
}

/// Waits for a condition without notification: the counter of a server, or a file on disk.
func eventually(
    atMost patience: Duration = PseudoTerminal.patience,
    _ condition: () -> Bool
) -> Bool {
    let end = ContinuousClock.now + patience
    while !condition() {
        guard ContinuousClock.now < end else { return condition() }
        // Leaves the processor to the program that makes it true.
        poll(nil, 0, 5)
    }
    return true
}
