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
