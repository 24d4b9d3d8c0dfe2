internal import Decoders

/// Pictures that left the memory cache while someone still had them (row F25).
///
/// Pure. Filled when a picture leaves and not when it comes, so that the pictures in the cache cost
/// nothing more: once an object was held weakly, counting its references takes longer. The pixels
/// are freed as soon as the last holder lets go; what remains of such an entry is a key, and those
/// are swept when the table has doubled, so that there are never more than twice as many as
/// pictures in use, or `leastSweepCount`.
struct PicturesOnScreen: Sendable {
    static let leastSweepCount = 64

    private struct Entry {
        let pixels: WeakPixelBuffer
        let properties: ImageProperties
    }

    private var entries: [ImageKey: Entry] = [:]
    private var sweepCount = Self.leastSweepCount

    /// Entries, including those whose picture is gone.
    var count: Int { entries.count }

    mutating func add(_ image: DecodedImage, for key: ImageKey) {
        entries[key] = Entry(
            pixels: WeakPixelBuffer(image.pixels),
            properties: image.properties
        )
        if entries.count > sweepCount { sweep() }
    }

    /// Takes a picture out if somebody still has it.
    mutating func take(_ key: ImageKey) -> DecodedImage? {
        // The common case by far, for every miss comes by here.
        guard !entries.isEmpty, let entry = entries.removeValue(forKey: key) else { return nil }
        return entry.pixels.buffer.map { DecodedImage(pixels: $0, properties: entry.properties) }
    }

    mutating func remove(_ key: ImageKey) {
        guard !entries.isEmpty else { return }
        entries[key] = nil
    }

    /// All sizes.
    mutating func remove(url: String) {
        guard !entries.isEmpty else { return }
        entries = entries.filter { $0.key.url != url }
    }

    private mutating func sweep() {
        entries = entries.filter { $0.value.pixels.buffer != nil }
        sweepCount = max(Self.leastSweepCount, 2 * entries.count)
    }
}
