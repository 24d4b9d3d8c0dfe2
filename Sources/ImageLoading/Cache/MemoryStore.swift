internal import Decoders

/// The decisions of `MemoryCache`.
///
/// Pure; what leaves it is returned, so that the caller can free it outside of the lock.
struct MemoryStore: Sendable {
    private var images = LeastRecentlyUsed<ImageKey, DecodedImage>()
    private var keysByURL: [String: [ImageKey]] = [:]
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

    mutating func image(for key: ImageKey) -> DecodedImage? {
        let image = images.use(key)
        if image == nil { misses += 1 } else { hits += 1 }
        return image
    }

    func largestImage(ofURL url: String) -> DecodedImage? {
        let candidates = keysByURL[url, default: []].compactMap(images.peek)
        return candidates.max { $0.pixels.bytes.count < $1.pixels.bytes.count }
    }

    /// Returns what was replaced or evicted.
    mutating func insert(_ image: DecodedImage, for key: ImageKey) -> [DecodedImage] {
        let cost = Self.cost(of: image, for: key)
        let replaced = remove(key)
        guard cost <= byteLimit else { return replaced }
        images.insert(image, for: key, cost: cost)
        keysByURL[key.url, default: []].append(key)
        return replaced + evict()
    }

    mutating func remove(url: String) -> [DecodedImage] {
        keysByURL[url, default: []].flatMap { remove($0) }
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
        return (list, freed)
    }

    private mutating func evict() -> [DecodedImage] {
        var evicted: [DecodedImage] = []
        while images.totalCost > byteLimit || images.count > countLimit {
            guard let (key, image) = images.removeOldest() else { break }
            forget(key)
            evicted.append(image)
            evictions += 1
        }
        return evicted
    }

    private mutating func remove(_ key: ImageKey) -> [DecodedImage] {
        guard let image = images.remove(key) else { return [] }
        forget(key)
        return [image]
    }

    private mutating func forget(_ key: ImageKey) {
        keysByURL[key.url]?.removeAll { $0 == key }
        if keysByURL[key.url]?.isEmpty == true { keysByURL[key.url] = nil }
    }
}
