import SystemSupport
import Testing

@testable import ImageLoading

/// Simulates `kill -9` at every file call of a short run, with records in attributes and in
/// sidecars.
struct DiskCacheCrashTests {
    private static let byteLimit = 5 * 4_096
    private static let batch = 16
    private static let names = ["a", "b", "c", "d"]
    /// The size of a body of two blocks and a sidecar.
    private static let largestEntry = 3 * 4_096

    /// All entries that are ever stored; every entry that a lookup returns must be equal to one of
    /// them.
    private static let bodies = (1...3).map { version in
        DiskEntry(bytes: body(6_000, seed: UInt8(version)), metadata: body(version))
    }
    private static let partial = DiskEntry(bytes: body(2_000), metadata: body(9))

    /// Stores partial bodies, stores and replaces bodies, amends, evicts and removes.
    private func live(in cache: DiskCache, _ bench: CacheBench) async throws {
        for (number, name) in Self.names.enumerated() {
            let url = try bench.url(name)
            cache.storePartial(Self.partial.bytes, metadata: Self.partial.metadata, for: url)
            await cache.flush()
            guard number % 3 > 0 else { continue }
            for entry in Self.bodies.prefix(2) {
                cache.store(entry.bytes, metadata: entry.metadata, for: url)
                await cache.flush()
            }
            cache.store(Self.bodies[2].bytes, metadata: body(2), for: url)
            cache.updateMetadata(Self.bodies[2].metadata, for: url)
            await settle(cache)
        }
        await cache.remove(try bench.url("c"))
    }

    private func settle(_ cache: DiskCache) async {
        // A file that a look-up found damaged is deleted after all stores.
        repeat {
            await cache.writer.runToEnd(priority: .low) {}
        } while cache.state.withLock({ $0.isEvicting || $0.isLooking })
    }

    /// Returns whether the run reached its end before the process was killed.
    private func isSurvivor(
        killedAt number: Int,
        _ place: DiskEntryTests.Place
    ) async throws -> Bool {
        let bench = try CacheBench()
        let process = DyingProcess(atCall: number)
        let calls = process.calls(place.calls)
        let cache = await bench.cache(byteLimit: Self.byteLimit, calls: calls)
        try await live(in: cache, bench)

        let trace: Comment = "killed at call \(number), \(place)"
        #expect(try size(of: cache.directory) <= Self.byteLimit + Self.largestEntry, trace)

        // An hour later, because younger leftover files could belong to another process.
        bench.clock.advance(by: 3_601)
        let heir = await bench.cache(byteLimit: Self.byteLimit)
        await settle(heir)

        try await expectNoTornHit(in: heir, bench, trace)
        await settle(heir)
        try expectNoLeftovers(heir, trace)
        if process.isAlive { #expect(cache.statistics.evictions > 0, "nothing had to go") }
        return process.isAlive
    }

    private func size(of directory: CacheDirectory) throws -> Int {
        try directory.items().reduce(0) { try $0 + directory.facts(of: $1).allocatedByteCount }
    }

    private func expectNoTornHit(
        in cache: DiskCache,
        _ bench: CacheBench,
        _ trace: Comment
    ) async throws {
        var valid = Self.bodies
        valid.append(DiskEntry(bytes: Self.bodies[2].bytes, metadata: body(2)))
        for name in Self.names {
            let url = try bench.url(name)
            if let entry = await cache.entry(for: url) { #expect(valid.contains(entry), trace) }
            if let entry = await cache.partial(for: url) { #expect(entry == Self.partial, trace) }
        }
    }

    private func expectNoLeftovers(_ cache: DiskCache, _ trace: Comment) throws {
        let items = try cache.directory.items()
        for case .temporary(let name) in items { Issue.record("\(name) is left, \(trace)") }
        for case .sidecar(let name) in items {
            #expect(items.contains(.entry(name)), "a sidecar without its entry, \(trace)")
        }
        let size = try size(of: cache.directory)
        #expect(size <= Self.byteLimit, trace)
        #expect(cache.statistics.byteCount == size, trace)
    }

    // F10
    @Test(arguments: DiskEntryTests.Place.allCases)
    func `after a kill at any time, no body is torn, the budget is kept, no orphan remains`(
        place: DiskEntryTests.Place
    ) async throws {
        var number = 1
        while try await !hasSurvivor(killedAt: number..<number + Self.batch, place) {
            number += Self.batch
        }

        #expect(number > 40, "the life has grown short")
    }

    /// Runs in parallel, because each run mostly waits for threads.
    private func hasSurvivor(
        killedAt numbers: Range<Int>,
        _ place: DiskEntryTests.Place
    ) async throws -> Bool {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in numbers {
                group.addTask { try await isSurvivor(killedAt: number, place) }
            }
            return try await group.reduce(false) { $0 || $1 }
        }
    }
}
