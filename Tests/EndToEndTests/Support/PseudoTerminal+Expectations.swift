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
        let wanted = Array(text.utf8)
        return output.indices.contains { output[$0...].starts(with: wanted) }
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

/// What a program wrote, in pieces between which a person might have looked.
///
/// Several frames may be read at once, and what the first shows the last may hide again. A frame
/// that the program marks as one is one piece; elsewhere a piece ends where the cursor is moved.
struct OutputPieces {
    private var bytes: ArraySlice<UInt8> = []

    private static let moves = Set("ABCDEFGHdf".utf8)
    private static let frameBegin = Array("\u{1B}[?2026h".utf8)
    private static let frameEnd = Array("\u{1B}[?2026l".utf8)

    var isEmpty: Bool { bytes.isEmpty }

    /// Whether there is a piece, and not the beginning of a frame whose rest is on its way.
    var hasWhole: Bool {
        !bytes.isEmpty && (!bytes.starts(with: Self.frameBegin) || endOfFrame != nil)
    }

    mutating func append(_ more: some Sequence<UInt8>) {
        bytes += more
    }

    /// Takes the next piece out; all there is if nothing ends it.
    mutating func next() -> ArraySlice<UInt8> {
        let end = endOfPiece
        defer { bytes = bytes[end...] }
        return bytes[..<end]
    }

    private var endOfPiece: Int {
        if bytes.starts(with: Self.frameBegin) { return endOfFrame ?? bytes.endIndex }
        return bytes.indices.dropFirst().first(where: isLetterStart) ?? bytes.endIndex
    }

    private var endOfFrame: Int? {
        let isEnd = { bytes[$0...].starts(with: Self.frameEnd) }
        return bytes.indices.first(where: isEnd).map { $0 + Self.frameEnd.count }
    }

    private func isLetterStart(_ index: Int) -> Bool {
        guard bytes[index] == 0x1B, bytes[index...].dropFirst().first == UInt8(ascii: "[") else {
            return false
        }
        if bytes[index...].starts(with: Self.frameBegin) { return true }
        let final = bytes[index...].dropFirst(2).first { !(0x20...0x3F).contains($0) }
        return final.map(Self.moves.contains) ?? false
    }
}
