import TerminalUI

/// The output of a program, in pieces between which a user may have seen the screen.
///
/// Several frames may be read at once, and a later one may hide the content of an earlier one. A
/// frame that the program marks is one piece; otherwise a piece ends where the cursor is moved.
package struct OutputPieces {
    private var bytes: ArraySlice<UInt8> = []

    private static let moves = Set("ABCDEFGHdf".utf8)
    private static let frameBegin = Array("\u{1B}[?2026h".utf8)
    private static let frameEnd = Array("\u{1B}[?2026l".utf8)

    /// Creates an empty output.
    package init() {}

    /// Whether all that was written has been taken out.
    package var isEmpty: Bool { bytes.isEmpty }

    /// Whether there is a piece, and not the beginning of a frame whose rest is on its way.
    package var hasWhole: Bool {
        !bytes.isEmpty && (!bytes.starts(with: Self.frameBegin) || endOfFrame != nil)
    }

    /// Adds what was written next.
    package mutating func append(_ more: some Sequence<UInt8>) {
        bytes += more
    }

    /// Takes the next piece out; all there is if nothing ends it.
    package mutating func next() -> ArraySlice<UInt8> {
        let end = endOfPiece
        defer { bytes = bytes[end...] }
        return bytes[..<end]
    }

    private var endOfPiece: Int {
        if bytes.starts(with: Self.frameBegin) { return endOfFrame ?? bytes.endIndex }
        return bytes.indices.dropFirst().first(where: isLetterStart) ?? bytes.endIndex
    }

    private var endOfFrame: Int? {
        bytes.place(of: Self.frameEnd).map { $0 + Self.frameEnd.count }
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

extension [UInt8] {
    /// Whether the bytes of a text are anywhere in these.
    package func contains(_ text: String) -> Bool {
        self[...].place(of: Array(text.utf8)) != nil
    }
}

extension ArraySlice<UInt8> {
    /// Where some bytes first begin.
    fileprivate func place(of wanted: [UInt8]) -> Int? {
        guard let first = wanted.first else { return startIndex }
        return indices.first { self[$0] == first && self[$0...].starts(with: wanted) }
    }
}
