// The cost of a hit of the memory cache: alone, on two threads at the same time, and as a whole
// `ImageManager.load`; for comparison, a plain dictionary with the same keys and images.

import Decoders
import Dispatch
import Foundation
import ImageLoading
import Measuring

private let pictureCount = 1000
private let size = PixelSize(width: 40, height: 40)
private let rounds = 200
private let hitCount = pictureCount * rounds

private let urls = (0..<pictureCount).map { "http://pictures.example/feed/large-\($0).jpg" }
private let keys = try urls.map {
    ImageKey(url: try ImageURL(parsing: $0, origin: .local), targetSize: size)
}
private let picture = TestPicture.decoded(size)

/// Prevents the optimizer from removing lookups.
private func check(_ found: Int) {
    precondition(found == hitCount, "a look-up missed")
}

private func measureDictionary() -> Samples {
    let pictures = Dictionary(uniqueKeysWithValues: keys.map { ($0, TestPicture.decoded(size)) })
    return Samples(of: hitCount) {
        var found = 0
        for _ in 0..<rounds { for key in keys where pictures[key] != nil { found += 1 } }
        check(found)
    }
}

private func measureLockedDictionary() -> Samples {
    let pictures = Dictionary(uniqueKeysWithValues: keys.map { ($0, TestPicture.decoded(size)) })
    let locked = Locked(pictures)
    return Samples(of: hitCount) {
        var found = 0
        for _ in 0..<rounds {
            for key in keys where locked.withLock({ $0[key] }) != nil { found += 1 }
        }
        check(found)
    }
}

private func look(in cache: MemoryCache) {
    var found = 0
    for _ in 0..<rounds { for key in keys where cache.image(for: key) != nil { found += 1 } }
    check(found)
}

private func filledCache() -> MemoryCache {
    let cache = MemoryCache(byteLimit: 256 << 20)
    for key in keys { cache.insert(TestPicture.decoded(size), for: key) }
    return cache
}

/// Measures two threads that each make all the hits, so that without contention both together take
/// as long as one.
private func measureContended(_ cache: MemoryCache) -> Samples {
    Samples(of: hitCount) {
        let group = DispatchGroup()
        for _ in 0..<2 {
            group.enter()
            startThread {
                look(in: cache)
                group.leave()
            }
        }
        group.wait()
    }
}

/// Measures from the request to the answer, which arrives before `load` returns.
private func measureManager(_ server: OneBodyServer) -> Samples {
    var configuration = ImageManagerConfiguration()
    configuration.disk = nil
    let manager = ImageManager(configuration: configuration)
    let requests = (0..<pictureCount).map { number in
        let url = "http://127.0.0.1:\(server.port)/feed/large-\(number).jpg"
        return ImageRequest(url: url, targetSize: size)
    }
    let filled = DispatchGroup()
    for request in requests {
        filled.enter()
        manager.load(request) { event in
            if case .finished = event { filled.leave() }
        }
    }
    filled.wait()
    let samples = Samples(of: pictureCount * 20) {
        for _ in 0..<20 { for request in requests { manager.load(request) { _ in } } }
    }
    precondition(manager.statistics.memoryCache.hits == 10 * pictureCount * 20, "no hit")
    return samples
}

private let body = try JPEGEncoder.encode(TestPicture.pixels(size), quality: 85)
guard let server = OneBodyServer(body: body, type: "image/jpeg") else {
    fatalError("can't listen on loopback")
}
private let dictionary = measureDictionary()
private let cache = filledCache()
private let rows: [(String, Samples)] = [
    ("dictionary", dictionary),
    ("dictionary under a lock", measureLockedDictionary()),
    ("MemoryCache.image, 1 thread", Samples(of: hitCount) { look(in: cache) }),
    ("MemoryCache.image, 2 threads at once", measureContended(cache)),
    ("ImageManager.load, memory hit", measureManager(server)),
]

print("\(pictureCount) pictures of \(size), \(hitCount) hits a sample, 9 samples\n")
printTable(
    [["one hit", "median", "least", "against the dictionary"]]
        + rows.map { name, samples in
            let ratio = samples.median / dictionary.median
            return [
                name, samples.median.text, samples.least.text, "\((ratio * 10).rounded() / 10)",
            ]
        }
)
