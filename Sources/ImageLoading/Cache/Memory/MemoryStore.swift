internal import Decoders

/// The contents of a `MemoryCache`, with the rules for eviction and expiry.
///
/// This type performs no I/O. It returns removed images, so the caller can free them after
/// releasing the lock. Times are uptimes; nil means that no image can have expired.
struct MemoryStore: Sendable {
    /// The period during which an image is valid.
    struct Life: Sendable {
        let start: Duration
        /// The image's own time to live; nil if the cache's time to live applies.
        var length: Duration?
    }

    private struct Entry {
        var image: DecodedImage
        let life: Life
    }

    /// The shortest time to live that counts as infinite when the next removal is scheduled.
    ///
    /// Adding such a long time to an uptime could overflow.
    private static let eternity = Duration.seconds(1 << 40)
    /// The minimum time between two removals of expired images.
    ///
    /// Images that expire shortly after one another are removed together.
    private static let sweepInterval = Duration.seconds(1)

    private var entries = LeastRecentlyUsed<ImageKey, Entry>()
    private var keysByURL: [String: [ImageKey]] = [:]
    private var shownImages = WeakImageTable()
    private(set) var byteLimit: Int
    private(set) var countLimit: Int
    /// The time to live of images that have none of their own; nil means no limit.
    var timeToLive: Duration?
    /// The time of the scheduled call to `removeExpired`; nil if no call is scheduled.
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

    /// Returns the cost of an image in bytes.
    ///
    /// The cost is four bytes per pixel of every frame, plus an estimate of the memory for the key,
    /// the list and the tables. If only pixels counted, a million empty images would cost nothing.
    static func cost(of image: DecodedImage, for key: ImageKey) -> Int {
        // The first frame of an animation is already counted as `pixels`.
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

    /// Returns the image for a key, or nil.
    ///
    /// If the image was evicted but is still shown, it becomes the newest entry again. This may
    /// evict other images, which are added to `removal`.
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

    /// Adds an image, replacing any image with the same key, and evicts other images if necessary.
    mutating func insert(
        _ image: DecodedImage,
        for key: ImageKey,
        _ life: Life,
        _ removal: inout MemoryRemoval
    ) {
        if let replaced = remove(key) { removal.keep(replaced) }
        guard byteLimit > 0, countLimit > 0 else { return }
        let cost = Self.cost(of: image, for: key)
        // The image is too large to store, but the caller may request it again while still using
        // it.
        guard cost <= byteLimit else { return shownImages.add(image, for: key, life) }
        entries.insert(Entry(image: image, life: life), for: key, cost: cost)
        keysByURL[key.url, default: []].append(key)
        removeOldest(downTo: byteLimit, &removal)
        evictions += removal.entryCount
    }

    /// Removes the least recently used images until at most `byteCount` bytes remain.
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

    /// Removes all images and returns them with their number and size.
    ///
    /// The caller must free the images after releasing the lock.
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
            // An image that a view still shows can be found again without decoding.
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

    /// Returns the time at which an image expires, or nil if it never expires.
    private func end(of life: Life) -> Duration? {
        guard let length = life.length ?? timeToLive, length < Self.eternity else { return nil }
        return life.start + max(.zero, length)
    }

    /// Returns the time at which `removeExpired` must be called because of a new entry.
    ///
    /// Returns nil if the entry never expires, or if a call is already scheduled at or before that
    /// time. If the result is not nil, the caller must schedule the call.
    mutating func takeAlarm(for life: Life) -> Duration? {
        guard let end = end(of: life), alarm.map({ end < $0 }) ?? true else { return nil }
        alarm = end
        return end
    }

    /// Removes all expired images and returns the time at which to call the method again.
    ///
    /// Returns nil if no further call needs to be scheduled.
    mutating func removeExpired(at now: Duration, _ removal: inout MemoryRemoval) -> Duration? {
        for key in entries.keys {
            guard let life = entries.peek(key)?.life, hasExpired(life, at: now) else { continue }
            let before = entries.totalCost
            guard let image = remove(key) else { continue }
            removal.count(image, byteCount: before - entries.totalCost)
        }
        let ends = entries.keys.compactMap { entries.peek($0).flatMap { end(of: $0.life) } }
        let next = ends.min().map { max($0, now + Self.sweepInterval) }
        // A scheduled call that is still pending may be early enough.
        if let alarm, alarm > now, next.map({ alarm <= $0 }) ?? true { return nil }
        alarm = next
        return next
    }
}

/// The images removed from the memory cache in one step.
///
/// The images are held until the lock is released. Freeing a large image takes longer than all
/// other work under the lock.
struct MemoryRemoval {
    private var images: [DecodedImage] = []
    /// The number of images that were evicted or removed by `removeExpired`.
    ///
    /// Replaced images are not counted, and neither are expired images that a lookup found.
    private(set) var entryCount = 0
    /// The total cost of the counted images in bytes.
    private(set) var byteCount = 0

    /// Adds an image without counting it: a replaced image, or an expired image that a lookup
    /// found.
    mutating func keep(_ image: DecodedImage) {
        images.append(image)
    }

    /// Adds and counts an image that was evicted or removed by `removeExpired`.
    mutating func count(_ image: DecodedImage, byteCount: Int) {
        images.append(image)
        entryCount += 1
        self.byteCount += byteCount
    }

    /// The number and size of the counted images.
    var statistics: CacheStatistics {
        var result = CacheStatistics()
        result.entryCount = entryCount
        result.byteCount = byteCount
        return result
    }
}
