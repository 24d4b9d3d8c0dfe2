internal import Decoders

/// The decisions of `MemoryCache`.
///
/// Pure; what leaves it is returned, so that the caller can free it outside of the lock. Times are
/// uptimes; nil stands for a moment at which nothing can have expired.
struct MemoryStore: Sendable {
    /// How long an image may be used.
    struct Life: Sendable {
        let start: Duration
        /// Nil for as long as the cache says.
        var length: Duration?
    }

    private struct Entry {
        var image: DecodedImage
        let life: Life
    }

    /// Times to live above it are for ever: adding one to a time could overflow.
    private static let eternity = Duration.seconds(1 << 40)
    /// The least time between two sweeps, so that entries that expire one after the other don't
    /// cost one each.
    private static let sweepInterval = Duration.seconds(1)

    private var entries = LeastRecentlyUsed<ImageKey, Entry>()
    private var keysByURL: [String: [ImageKey]] = [:]
    private var shownImages = WeakImageTable()
    private(set) var byteLimit: Int
    private(set) var countLimit: Int
    /// What lives as long as the cache says; nil is for ever.
    var timeToLive: Duration?
    /// When the clock is going to call; nil if it isn't.
    private var alarm: Duration?
    private(set) var generation = CacheGeneration()
    private var hits = 0
    private var misses = 0
    private var evictions = 0

    init(byteLimit: Int, countLimit: Int, timeToLive: Duration? = nil) {
        self.byteLimit = max(0, byteLimit)
        self.countLimit = max(0, countLimit)
        self.timeToLive = timeToLive
    }

    /// Four bytes a pixel of every frame, and the entry's own share: key, list, tables; with pixels
    /// alone a million empty images would cost nothing.
    static func cost(of image: DecodedImage, for key: ImageKey) -> Int {
        // The first frame of an animation is `pixels`.
        let frames = image.animation?.frames.dropFirst() ?? []
        let more = frames.reduce(0) { $0 + $1.pixels.bytes.count }
        return image.pixels.bytes.count + more + 256 + 2 * key.url.utf8.count
    }

    var statistics: CacheStatistics {
        var result = CacheStatistics()
        result.entryCount = entries.count
        result.byteCount = entries.totalCost
        result.byteLimit = byteLimit
        result.hits = hits
        result.misses = misses
        result.evictions = evictions
        return result
    }

    // MARK: Looking up

    /// An image that left and is still shown goes back in as the newest, which may push others into
    /// `removal`.
    mutating func image(
        for key: ImageKey,
        at now: Duration?,
        _ removal: inout MemoryRemoval
    ) -> DecodedImage? {
        if let entry = entries.use(key) {
            guard hasExpired(entry.life, at: now) else {
                hits += 1
                return entry.image
            }
            misses += 1
            if let expired = remove(key) { removal.keep(expired) }
            return nil
        }
        guard let (image, life) = shownImages.take(key), !hasExpired(life, at: now) else {
            misses += 1
            return nil
        }
        hits += 1
        insert(image, for: key, life, &removal)
        return image
    }

    func largestImage(ofURL url: String, at now: Duration?) -> DecodedImage? {
        let candidates = keysByURL[url, default: []].compactMap(entries.peek)
        return candidates.filter { !hasExpired($0.life, at: now) }.map(\.image)
            .max { $0.pixels.bytes.count < $1.pixels.bytes.count }
    }

    func contains(_ key: ImageKey, at now: Duration?) -> Bool {
        guard let life = entries.peek(key)?.life ?? shownImages.life(of: key) else { return false }
        return !hasExpired(life, at: now)
    }

    // MARK: Storing and removing

    /// Replaces or evicts others.
    mutating func insert(
        _ image: DecodedImage,
        for key: ImageKey,
        _ life: Life,
        _ removal: inout MemoryRemoval
    ) {
        if let replaced = remove(key) { removal.keep(replaced) }
        guard byteLimit > 0, countLimit > 0 else { return }
        let cost = Self.cost(of: image, for: key)
        // Too large to be kept, but the caller has it now and may ask again.
        guard cost <= byteLimit else { return shownImages.add(image, for: key, life) }
        entries.insert(Entry(image: image, life: life), for: key, cost: cost)
        keysByURL[key.url, default: []].append(key)
        removeOldest(downTo: byteLimit, &removal)
        evictions += removal.entryCount
    }

    /// Takes out what was not used for longest, until so many bytes are left.
    mutating func trim(toByteCount byteCount: Int, _ removal: inout MemoryRemoval) {
        removeOldest(downTo: max(0, byteCount), &removal)
    }

    mutating func remove(_ key: ImageKey) -> DecodedImage? {
        shownImages.remove(key)
        guard let entry = entries.remove(key) else { return nil }
        forget(key)
        return entry.image
    }

    mutating func remove(url: String) -> [DecodedImage] {
        shownImages.remove(url: url)
        return keysByURL[url, default: []].compactMap { remove($0) }
    }

    /// Returns the images, to be freed outside of the lock, and how much they were.
    mutating func removeAll() -> (images: some Sendable, freed: CacheStatistics) {
        var freed = CacheStatistics()
        freed.entryCount = entries.count
        freed.byteCount = entries.totalCost
        let removed = entries
        generation.number += 1
        entries = LeastRecentlyUsed()
        keysByURL = [:]
        shownImages = WeakImageTable()
        return (removed, freed)
    }

    private mutating func removeOldest(downTo byteCount: Int, _ removal: inout MemoryRemoval) {
        while entries.totalCost > byteCount || entries.count > countLimit {
            let before = entries.totalCost
            guard case (let key, var entry)? = entries.removeOldest() else { return }
            forget(key)
            // What a view still shows is found again without decoding.
            if !entry.image.isHeldAlone() { shownImages.add(entry.image, for: key, entry.life) }
            removal.count(entry.image, byteCount: before - entries.totalCost)
        }
    }

    private mutating func forget(_ key: ImageKey) {
        keysByURL[key.url]?.removeAll { $0 == key }
        if keysByURL[key.url]?.isEmpty == true { keysByURL[key.url] = nil }
    }
}

extension MemoryStore {
    // MARK: Limits

    mutating func setByteLimit(_ limit: Int, _ removal: inout MemoryRemoval) {
        byteLimit = max(0, limit)
        keepLimits(&removal)
    }

    mutating func setCountLimit(_ limit: Int, _ removal: inout MemoryRemoval) {
        countLimit = max(0, limit)
        keepLimits(&removal)
    }

    private mutating func keepLimits(_ removal: inout MemoryRemoval) {
        removeOldest(downTo: byteLimit, &removal)
        evictions += removal.entryCount
        if byteLimit == 0 || countLimit == 0 { shownImages = WeakImageTable() }
    }

    // MARK: Expiry

    private func hasExpired(_ life: Life, at now: Duration?) -> Bool {
        guard let now, let length = life.length ?? timeToLive else { return false }
        return now - life.start >= length
    }

    /// Nil for ever.
    private func end(of life: Life) -> Duration? {
        guard let length = life.length ?? timeToLive, length < Self.eternity else { return nil }
        return life.start + max(.zero, length)
    }

    /// The time at which to call `removeExpired` because of a new entry; nil if the clock calls
    /// early enough.
    mutating func takeAlarm(for life: Life) -> Duration? {
        guard let end = end(of: life), alarm.map({ end < $0 }) ?? true else { return nil }
        alarm = end
        return end
    }

    /// Takes out everything whose time is over; returns when to do that again.
    mutating func removeExpired(at now: Duration, _ removal: inout MemoryRemoval) -> Duration? {
        for key in entries.keys {
            guard let life = entries.peek(key)?.life, hasExpired(life, at: now) else { continue }
            let before = entries.totalCost
            guard let image = remove(key) else { continue }
            removal.count(image, byteCount: before - entries.totalCost)
        }
        let ends = entries.keys.compactMap { entries.peek($0).flatMap { end(of: $0.life) } }
        let next = ends.min().map { max($0, now + Self.sweepInterval) }
        // A call that was asked for and has not come yet may be early enough.
        if let alarm, alarm > now, next.map({ alarm <= $0 }) ?? true { return nil }
        alarm = next
        return next
    }
}

/// What left the memory cache in one step.
///
/// Holds the images until the lock is left: freeing a large one takes longer than all the rest.
struct MemoryRemoval {
    private var images: [DecodedImage] = []
    /// Images that had to leave, apart from those that were replaced.
    private(set) var entryCount = 0
    /// Their cost in bytes.
    private(set) var byteCount = 0

    /// Takes an image that was replaced or has expired.
    mutating func keep(_ image: DecodedImage) {
        images.append(image)
    }

    /// Takes an image that had to leave.
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
