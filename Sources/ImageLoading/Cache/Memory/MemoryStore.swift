internal import Decoders

/// The decisions of `MemoryCache`.
///
/// Pure; what leaves it is returned, so that the caller can free it outside of the lock.
struct MemoryStore: Sendable {
    private var images = LeastRecentlyUsed<ImageKey, DecodedImage>()
    private var keysByURL: [String: [ImageKey]] = [:]
    private var onScreen = PicturesOnScreen()
    private let byteLimit: Int
    private let countLimit: Int
    private(set) var generation = CacheGeneration()
    private var hits = 0
    private var misses = 0
    private var evictions = 0

    init(byteLimit: Int, countLimit: Int) {
        self.byteLimit = byteLimit > 0 ? byteLimit : .max
        self.countLimit = countLimit > 0 ? countLimit : .max
    }

    /// Four bytes a pixel (fact F14: pixels alone make the limit meaningless), and the entry's own
    /// share: key, list, tables.
    static func cost(of image: DecodedImage, for key: ImageKey) -> Int {
        image.pixels.bytes.count + 256 + 2 * key.url.utf8.count
    }

    var statistics: CacheStatistics {
        var result = CacheStatistics()
        result.entryCount = images.count
        result.byteCount = images.totalCost
        result.byteLimit = byteLimit == .max ? 0 : byteLimit
        result.hits = hits
        result.misses = misses
        result.evictions = evictions
        return result
    }

    /// A picture found on screen goes back in as the newest, which may push others into `removal`.
    mutating func image(for key: ImageKey, _ removal: inout MemoryRemoval) -> DecodedImage? {
        if let image = images.use(key) {
            hits += 1
            return image
        }
        guard let image = onScreen.take(key) else {
            misses += 1
            return nil
        }
        hits += 1
        insert(image, for: key, &removal)
        return image
    }

    func largestImage(ofURL url: String) -> DecodedImage? {
        let candidates = keysByURL[url, default: []].compactMap(images.peek)
        return candidates.max { $0.pixels.bytes.count < $1.pixels.bytes.count }
    }

    /// Replaces or evicts others.
    mutating func insert(
        _ image: DecodedImage,
        for key: ImageKey,
        _ removal: inout MemoryRemoval
    ) {
        onScreen.remove(key)
        if let replaced = remove(key) { removal.keep(replaced) }
        let cost = Self.cost(of: image, for: key)
        // Too large to be kept, but whoever has it now may ask again (row F25).
        guard cost <= byteLimit else { return onScreen.add(image, for: key) }
        images.insert(image, for: key, cost: cost)
        keysByURL[key.url, default: []].append(key)
        removeOldest(downTo: byteLimit, &removal)
        evictions += removal.entryCount
    }

    /// Takes out what was not used for longest, until so many bytes are left.
    mutating func trim(toByteCount byteCount: Int, _ removal: inout MemoryRemoval) {
        removeOldest(downTo: max(0, byteCount), &removal)
    }

    mutating func remove(url: String) -> [DecodedImage] {
        onScreen.remove(url: url)
        return keysByURL[url, default: []].compactMap { remove($0) }
    }

    /// Returns the pictures and how much they were.
    mutating func removeAll() -> (
        list: LeastRecentlyUsed<ImageKey, DecodedImage>, freed: CacheStatistics
    ) {
        var freed = CacheStatistics()
        freed.entryCount = images.count
        freed.byteCount = images.totalCost
        let list = images
        generation.number += 1
        images = LeastRecentlyUsed()
        keysByURL = [:]
        onScreen = PicturesOnScreen()
        return (list, freed)
    }

    private mutating func removeOldest(downTo byteCount: Int, _ removal: inout MemoryRemoval) {
        while images.totalCost > byteCount || images.count > countLimit {
            let before = images.totalCost
            guard case (let key, var image)? = images.removeOldest() else { return }
            forget(key)
            // What someone still shows is found again without decoding (row F25).
            if !image.isHeldAlone() { onScreen.add(image, for: key) }
            removal.count(image, byteCount: before - images.totalCost)
        }
    }

    private mutating func remove(_ key: ImageKey) -> DecodedImage? {
        guard let image = images.remove(key) else { return nil }
        forget(key)
        return image
    }

    private mutating func forget(_ key: ImageKey) {
        keysByURL[key.url]?.removeAll { $0 == key }
        if keysByURL[key.url]?.isEmpty == true { keysByURL[key.url] = nil }
    }
}

/// What left the memory cache in one step.
///
/// Holds the pictures until the lock is left: freeing a large one takes longer than all the rest.
struct MemoryRemoval {
    private var images: [DecodedImage] = []
    /// Pictures that had to leave, apart from those that were replaced.
    private(set) var entryCount = 0
    /// Their cost in bytes.
    private(set) var byteCount = 0

    /// Takes a picture that was replaced or asked away.
    mutating func keep(_ image: DecodedImage) {
        images.append(image)
    }

    /// Takes a picture that had to leave.
    mutating func count(_ image: DecodedImage, byteCount: Int) {
        images.append(image)
        entryCount += 1
        self.byteCount += byteCount
    }

    /// As the caches tell it.
    var statistics: CacheStatistics {
        var result = CacheStatistics()
        result.entryCount = entryCount
        result.byteCount = byteCount
        return result
    }
}

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
