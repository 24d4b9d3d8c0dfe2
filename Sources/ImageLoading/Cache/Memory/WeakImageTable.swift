internal import Decoders

/// Images that left the memory cache while a view still had them.
///
/// Pure. Filled when an image leaves and not when it comes, so that the images in the cache cost
/// nothing more: once an object was held weakly, counting its references takes longer. The pixels
/// are freed as soon as the last holder lets go; what remains of such an entry is a key, and those
/// are swept when the table has doubled, so that there are never more than twice as many as
/// images in use, or `leastSweepCount`.
struct WeakImageTable: Sendable {
    static let leastSweepCount = 64

    private struct Entry {
        let pixels: WeakPixelBuffer
        let properties: ImageProperties
        let life: MemoryStore.Life
    }

    private var entries: [ImageKey: Entry] = [:]
    private var sweepCount = Self.leastSweepCount

    /// Entries, including those whose image is gone.
    var count: Int { entries.count }

    /// Takes note of an image, unless it is an animation: a view may have let go of some of its
    /// frames.
    mutating func add(_ image: DecodedImage, for key: ImageKey, _ life: MemoryStore.Life) {
        guard image.animation == nil else { return }
        entries[key] = Entry(
            pixels: WeakPixelBuffer(image.pixels),
            properties: image.properties,
            life: life
        )
        if entries.count > sweepCount { sweep() }
    }

    /// Takes an image out if somebody still has it.
    mutating func take(_ key: ImageKey) -> (image: DecodedImage, life: MemoryStore.Life)? {
        // The common case by far, for every miss comes by here.
        guard !entries.isEmpty, let entry = entries.removeValue(forKey: key),
            let pixels = entry.pixels.buffer
        else { return nil }
        return (DecodedImage(pixels: pixels, properties: entry.properties), entry.life)
    }

    /// The life of an image that somebody still has.
    func life(of key: ImageKey) -> MemoryStore.Life? {
        guard !entries.isEmpty, let entry = entries[key], entry.pixels.buffer != nil else {
            return nil
        }
        return entry.life
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
