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
        if bytes.starts(with: Self.frameBegin) {
            let isEnd = { bytes[$0...].starts(with: Self.frameEnd) }
            return bytes.indices.first(where: isEnd).map { $0 + Self.frameEnd.count }
                ?? bytes.endIndex
        }
        return bytes.indices.dropFirst().first(where: isPartial) ?? bytes.endIndex
    }

    private func isPartial(_ index: Int) -> Bool {
        guard bytes[index] == 0x1B, bytes[index...].dropFirst().first == UInt8(ascii: "[") else {
            return false
        }
        if bytes[index...].starts(with: Self.frameBegin) { return true }
        let final = bytes[index...].dropFirst(2).first { !(0x20...0x3F).contains($0) }
        return final.map(Self.moves.contains) ?? false
    }
}
