/// The pictures that the terminal has been sent, by fingerprint, and their numbers there.
///
/// Pure. Those that were shown longest ago go first when they are too many.
struct PictureTable {
    /// What terminals keep at least is 320 MB (kitty); a screen full of pixels is 10 MB.
    static let standardByteLimit = 96 << 20

    private struct Entry {
        let id: UInt32
        let byteCount: Int
        var lastFrame: Int
    }

    private let byteLimit: Int
    private var entries: [UInt64: Entry] = [:]
    private var frame = 0
    private var nextID: UInt32 = 1
    /// What they take in the terminal, decoded.
    private(set) var byteCount = 0

    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    var count: Int { entries.count }

    /// The numbers of all pictures, in order.
    var ids: [UInt32] { entries.values.map(\.id).sorted() }

    /// What is used from here on is used by a new frame.
    mutating func beginFrame() {
        frame += 1
    }

    /// The number of a picture; nil if the terminal doesn't have it.
    func id(of fingerprint: UInt64) -> UInt32? { entries[fingerprint]?.id }

    /// The number of a picture, which the frame uses; nil if the terminal doesn't have it.
    mutating func use(_ fingerprint: UInt64) -> UInt32? {
        entries[fingerprint]?.lastFrame = frame
        return entries[fingerprint]?.id
    }

    /// The frame uses the picture of this number.
    mutating func use(id: UInt32) {
        for (fingerprint, entry) in entries where entry.id == id {
            entries[fingerprint]?.lastFrame = frame
        }
    }

    /// Takes in a picture that is being sent; returns its number.
    mutating func add(_ fingerprint: UInt64, byteCount: Int) -> UInt32 {
        let id = nextID
        // Numbers travel as 24-bit colours where placeholders are used, and palette terminals would
        // take the first for theme colours.
        nextID = nextID == 0xFF_FFFF ? 1 : nextID + 1
        entries[fingerprint] = Entry(id: id, byteCount: byteCount, lastFrame: frame)
        self.byteCount += byteCount
        return id
    }

    /// Takes out what is over the limit, but never what the frame uses; returns the numbers.
    mutating func evict() -> [UInt32] {
        guard byteCount > byteLimit else { return [] }
        let old = entries.filter { $0.value.lastFrame < frame }
            .sorted { ($0.value.lastFrame, $0.value.id) < ($1.value.lastFrame, $1.value.id) }
        var evicted: [UInt32] = []
        for (fingerprint, entry) in old where byteCount > byteLimit {
            entries[fingerprint] = nil
            byteCount -= entry.byteCount
            evicted.append(entry.id)
        }
        return evicted
    }

    mutating func removeAll() {
        entries = [:]
        byteCount = 0
    }
}
