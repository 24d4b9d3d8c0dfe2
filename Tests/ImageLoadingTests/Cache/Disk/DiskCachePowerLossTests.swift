import PropertyRuns
import Testing

@testable import ImageLoading

/// A power failure at each file call of a short run, which loses all data that was not
/// synchronized.
struct DiskCachePowerLossTests {
    private static let names = (0..<6).map { "picture-\($0)" }
    private static let entries = (1...2).map { version in
        DiskEntry(bytes: body(6_000, seed: UInt8(version)), metadata: body(version))
    }
    /// The number of random losses for each call.
    private static let lossCount = PropertyRuns.isSanitized ? 1 : 2

    private struct Life {
        let place: DiskEntryTests.Place
        let durability: DiskDurability
        let number: Int

        var description: Comment { "power lost at call \(number), \(place), \(durability)" }
    }

    /// Stores, replaces, amends and removes entries; returns the latest version of each entry that
    /// `flush` has waited for.
    ///
    /// Omits an entry with a sidecar that was being replaced when the power failed: the new record
    /// may then be next to the old body, which is a miss.
    private func live(
        in cache: DiskCache,
        _ bench: CacheBench,
        _ disk: VolatileDisk,
        _ place: DiskEntryTests.Place
    ) async throws -> [String: Int] {
        var kept: [String: Int] = [:]
        for (number, name) in Self.names.enumerated() {
            let url = try bench.url(name)
            for (version, entry) in Self.entries.enumerated() {
                let wasOn = disk.isOn
                cache.store(entry.bytes, metadata: entry.metadata, for: url)
                await cache.flush()
                if disk.isOn {
                    kept[name] = version
                } else if wasOn, place == .sidecar {
                    kept[name] = nil
                }
                if number % 3 == 1 { break }
            }
            if number % 3 == 2 {
                cache.updateMetadata(body(9), for: url)
                await cache.flush()
            }
            if number == 3 {
                kept[Self.names[0]] = nil
                await cache.remove(try bench.url(Self.names[0]))
            }
        }
        return kept
    }

    /// Returns whether the run ended before the power failed.
    private func isSurvivor(_ life: Life) async throws -> Bool {
        var random = SystemRandomNumberGenerator()
        var isOn = false
        for _ in 0..<Self.lossCount {
            let bench = try CacheBench()
            let disk = try VolatileDisk(failingAtCall: life.number, attic: bench.root + "/attic")
            let calls = disk.calls(life.place.calls)
            let cache = await bench.cache(durability: life.durability, calls: calls)
            let kept = try await live(in: cache, bench, disk, life.place)
            isOn = disk.isOn
            disk.losePower(in: bench.directory, using: &random)

            let heir = await bench.cache()
            for name in Self.names {
                let found = await heir.entry(for: try bench.url(name))
                if let found { expectWhole(found, life) }
                guard life.durability == .everyStore, let version = kept[name] else { continue }
                let versions = Self.entries[version...].map(\.bytes)
                #expect(found.map { versions.contains($0.bytes) } == true, life.description)
            }
        }
        return isOn
    }

    private func expectWhole(_ found: DiskEntry, _ life: Life) {
        let records = Self.entries.map(\.metadata) + [body(9)]
        #expect(Self.entries.map(\.bytes).contains(found.bytes), life.description)
        #expect(records.contains(found.metadata), life.description)
    }

    @Test(arguments: DiskEntryTests.Place.allCases, [DiskDurability.whenConvenient, .everyStore])
    func `after a power loss no body is torn, and every promised body exists`(
        place: DiskEntryTests.Place,
        durability: DiskDurability
    ) async throws {
        var number = 1
        while try await isSurvivor(Life(place: place, durability: durability, number: number))
            == false
        {
            number += 1
        }

        #expect(number > 30, "the life has grown short")
    }
}
