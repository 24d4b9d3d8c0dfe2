/// The images that were sent to the terminal, and the numbers assigned to them.
///
/// Images are identified by their fingerprints. If the images exceed the limit, the least recently
/// shown images are evicted first. This type has no side effects.
struct PictureTable {
    /// The default limit in bytes.
    ///
    /// Terminals store at least 320 MB (kitty), and a full screen of pixels takes 10 MB.
    static let standardByteLimit = 96 << 20

    private struct Entry {
        let id: UInt32
        let byteCount: Int
        /// Whether the image was sent at half its resolution and will be sent again.
        var isHalf: Bool
        var lastFrame: Int
    }

    private let byteLimit: Int
    private var entries: [UInt64: Entry] = [:]
    private var frame = 0
    private var nextID: UInt32
    /// The number of bytes occupied by decoded images in the terminal.
    package private(set) var byteCount = 0

    /// Creates an empty table.
    ///
    /// By default, `firstID` is random because several programs in one terminal or tmux server
    /// share the numbers. If two programs used the same number, an image from one program would
    /// replace an image from the other.
    init(byteLimit: Int, firstID: UInt32 = .random(in: 0x01_0000...0xFF_FFFF)) {
        self.byteLimit = byteLimit
        nextID = firstID
    }

    package var count: Int { entries.count }

    /// The numbers of all images in ascending order.
    package var ids: [UInt32] { entries.values.map(\.id).sorted() }

    /// Starts a new frame; later calls to `use` and `add` apply to this frame.
    mutating func beginFrame() {
        frame += 1
    }

    /// Returns the number of an image, or nil if the terminal does not store it.
    package func id(of fingerprint: UInt64) -> UInt32? { entries[fingerprint]?.id }

    /// Marks an image as used in the current frame.
    ///
    /// Returns the image's number, or nil if the terminal does not store the image.
    package mutating func use(_ fingerprint: UInt64) -> UInt32? {
        entries[fingerprint]?.lastFrame = frame
        return entries[fingerprint]?.id
    }

    /// Marks the image with the number `id` as used in the current frame.
    package mutating func use(id: UInt32) {
        for (fingerprint, entry) in entries where entry.id == id {
            entries[fingerprint]?.lastFrame = frame
        }
    }

    /// Adds an image that is being sent, and returns its number.
    ///
    /// `isHalf` is true if the image is sent at half its resolution.
    package mutating func add(
        _ fingerprint: UInt64,
        byteCount: Int,
        isHalf: Bool = false
    ) -> UInt32 {
        let id = nextID
        // Placeholders encode the number as a 24-bit color, and palette terminals would interpret
        // the first numbers as theme colors.
        nextID = nextID == 0xFF_FFFF ? 1 : nextID + 1
        entries[fingerprint] = Entry(
            id: id,
            byteCount: byteCount,
            isHalf: isHalf,
            lastFrame: frame
        )
        self.byteCount += byteCount
        return id
    }

    /// Returns whether an image must be sent again because it was sent with half of its pixels.
    func isHalf(_ fingerprint: UInt64) -> Bool { entries[fingerprint]?.isHalf ?? false }

    /// Records that an image is not sent again because no better version can be sent.
    mutating func acceptHalf(_ fingerprint: UInt64) { entries[fingerprint]?.isHalf = false }

    /// Removes an image, and returns its number or nil if the terminal does not store it.
    mutating func remove(_ fingerprint: UInt64) -> UInt32? {
        guard let entry = entries.removeValue(forKey: fingerprint) else { return nil }
        byteCount -= entry.byteCount
        return entry.id
    }

    /// Evicts images until the remaining images fit in the limit, and returns the numbers of the
    /// evicted images.
    ///
    /// Images in the current frame are never evicted.
    package mutating func evict() -> [UInt32] {
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

    package mutating func removeAll() {
        entries = [:]
        byteCount = 0
    }
}
