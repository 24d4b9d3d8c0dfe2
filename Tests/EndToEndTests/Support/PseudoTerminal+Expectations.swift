import Glibc
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
        output.contains(text)
    }
}

/// Waits until a condition that nothing announces holds: what a server counted, what lies on disk.
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
