/// Which beginning of a body is decoded for a preview, and which waits: one at a time, and of those
/// that come meanwhile only the latest (F15, T14).
///
/// Pure.
struct PreviewSlot: Sendable {
    private enum Phase {
        case idle
        case decoding(next: [UInt8]?)
        case stopped
    }

    private var phase = Phase.idle

    /// Takes in a beginning; returns it if it is to be decoded now.
    mutating func offer(_ bytes: [UInt8]) -> [UInt8]? {
        switch phase {
        case .idle:
            phase = .decoding(next: nil)
            return bytes
        case .decoding: phase = .decoding(next: bytes)
        case .stopped: break
        }
        return nil
    }

    /// A decode has ended; returns what is to be decoded next.
    mutating func ended() -> [UInt8]? {
        guard case .decoding(let next) = phase else { return nil }
        phase = next == nil ? .idle : .decoding(next: nil)
        return next
    }

    /// Nothing more is wanted.
    mutating func stop() {
        phase = .stopped
    }
}
