/// Decides when the beginning of a body that is arriving is worth another look.
///
/// Each preview is decoded from the first byte on, so the beginnings grow by at least half: all
/// previews together then cost less than three times the last, however small the chunks are (F15:
/// one preview a chunk costs the square). And no more than ten a second, which is more than an eye
/// needs.
struct PreviewPacing: Sendable {
    /// Shorter beginnings hold little more than headers.
    static let minimumByteCount = 4 << 10
    /// The least time between two.
    static let interval = Duration.milliseconds(100)

    private var lastByteCount = 0
    private var lastTime: Duration?

    /// Whether a beginning of so many bytes is due; says yes to each of them once.
    mutating func isDue(_ byteCount: Int, of expected: Int?, at now: Duration) -> Bool {
        guard byteCount >= max(Self.minimumByteCount, lastByteCount + lastByteCount / 2),
            lastTime.map({ now - $0 >= Self.interval }) ?? true
        else { return false }
        // With nine tenths there, the picture itself comes as soon as its preview would.
        if let expected, byteCount > expected - expected / 10 { return false }
        lastByteCount = byteCount
        lastTime = now
        return true
    }
}
