import Foundation
import ImageLoadingTesting
import SystemSupport
import Testing

@testable import ImageLoading

/// A memory cache hit needs no thread other than the caller's.
@Suite struct MemoryHitTests {
    private let folder = NSTemporaryDirectory() + "memory-hit-\(UUID().uuidString)"

    // C12
    @Test func `a memory hit is delivered before load returns, without another thread`()
        async throws
    {
        let harness = ManagerHarness(disk: DiskCacheConfiguration(directory: folder))
        defer { try? FileManager.default.removeItem(atPath: folder) }
        harness.answerEverything()
        let request = ImageRequest(url: "http://a.example/1")
        _ = try await harness.manager.response(for: request)
        await harness.manager.flush()
        let disk = try #require(harness.manager.engine.cache.disk)
        await disk.waitForScan()
        let pools = [disk.readers, disk.writer, harness.manager.engine.decoding.pool]
        let gate = Gate()
        for pool in pools { await hold(pool, at: gate) }
        let lookUps = disk.statistics

        let hit = harness.load(request)

        // Any work submitted to a blocked pool would wait there.
        #expect(hit.record.endCount == 1)
        #expect(pools.map(\.waitingCount) == [0, 0, 0])
        #expect(disk.statistics == lookUps)
        #expect(harness.transport.starts.count == 1)
        gate.open()
        #expect(try await hit.result().get().source == .memory)
    }

    @Test func `a memory hit is delivered on the caller's thread`() async throws {
        let harness = ManagerHarness()
        harness.answerEverything()
        let request = ImageRequest(url: "http://a.example/1")
        _ = try await harness.manager.response(for: request)
        let thread = Protected<pthread_t?>(nil)

        let isSame = {
            harness.manager.load(request) { _ in thread.withLock { $0 = pthread_self() } }
            return thread.withLock { $0 } == pthread_self()
        }()

        #expect(isSame)
    }

    /// Returns once every thread of the pool waits at the gate.
    private func hold(_ pool: WorkerPool, at gate: Gate) async {
        for _ in 0..<pool.threadLimit {
            await withCheckedContinuation { entered in
                pool.submit(priority: .high) {
                    entered.resume()
                    gate.pass()
                }
            }
        }
    }
}
