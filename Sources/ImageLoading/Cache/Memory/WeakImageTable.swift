internal import Decoders

/// Images that were evicted from the memory cache while a view was still showing them.
///
/// This type performs no I/O. An image is added when it is evicted from the cache, not when it is
/// inserted into the cache. Reference counting is slower for an object that was ever referenced
/// weakly, so images that are still in the cache are not referenced weakly.
///
/// Pixels are freed as soon as the last owner releases them, and only the key remains in the table.
/// These keys are removed when the number of entries has doubled since the last cleanup. The number
/// of entries therefore never exceeds `leastSweepCount` or twice the number of images in use,
/// whichever is larger.
struct WeakImageTable: Sendable {
    static let leastSweepCount = 64

    private struct Entry {
        let pixels: WeakPixelBuffer
        let properties: ImageProperties
        let life: MemoryStore.Life
    }

    private var entries: [ImageKey: Entry] = [:]
    private var sweepCount = Self.leastSweepCount

    /// The number of entries, including those of freed images.
    var count: Int { entries.count }

    /// Adds an image, unless it is an animation.
    ///
    /// An animation is not added, because a view may have released some of its frames.
    mutating func add(_ image: DecodedImage, for key: ImageKey, _ life: MemoryStore.Life) {
        guard image.animation == nil else { return }
        entries[key] = Entry(
            pixels: WeakPixelBuffer(image.pixels),
            properties: image.properties,
            life: life
        )
        if entries.count > sweepCount { sweep() }
    }

    /// Removes an image and returns it if it is still in use.
    mutating func take(_ key: ImageKey) -> (image: DecodedImage, life: MemoryStore.Life)? {
        // An empty table is by far the most common case, because every miss calls this method.
        guard !entries.isEmpty, let entry = entries.removeValue(forKey: key),
            let pixels = entry.pixels.buffer
        else { return nil }
        return (DecodedImage(pixels: pixels, properties: entry.properties), entry.life)
    }

    /// Returns the period during which an image is valid, or nil if the image was freed.
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

    /// Removes all sizes of an image.
    mutating func remove(url: String) {
        guard !entries.isEmpty else { return }
        entries = entries.filter { $0.key.url != url }
    }

    private mutating func sweep() {
        entries = entries.filter { $0.value.pixels.buffer != nil }
        sweepCount = max(Self.leastSweepCount, 2 * entries.count)
    }
}
