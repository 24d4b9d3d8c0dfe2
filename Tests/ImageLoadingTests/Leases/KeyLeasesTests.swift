import Foundation
import ImageLoadingTesting
import SystemSupport
import Testing

@testable import ImageLoading

/// Two `KeyLeases` on one directory have different open files, and so exclude each other as two
/// processes do.
struct KeyLeasesTests {
    let bench: CacheBench

    init() throws {
        bench = try CacheBench()
    }

    private func leases() -> KeyLeases {
        KeyLeases(directory: bench.directory, clock: ManualClock().clock)
    }

    /// Requests a lease that another process holds; returns when the request is known to wait.
    private func wait(for key: String, at leases: KeyLeases) async -> Task<Lease?, Never> {
        let isWaiting = Protected(false)
        let task = Task { await leases.acquire(key) { isWaiting.withLock { $0 = true } } }
        await waitWhile(!isWaiting.withLock({ $0 }))
        return task
    }

    @Test func `a free lease is granted immediately, and was not contended`() async throws {
        let lease = try #require(await leases().acquire("a"))

        #expect(!lease.wasContended)
    }

    @Test func `one process at a time holds the lease of a key`() async throws {
        let (here, there) = (leases(), leases())
        let lease = try #require(await here.acquire("a"))

        let first = await wait(for: "a", at: there)
        let isDone = Protected(false)
        let second = Task {
            let lease = await there.acquire("a")
            isDone.withLock { $0 = true }
            return lease
        }
        for _ in 0..<100 { await Task.yield() }
        #expect(!isDone.withLock { $0 })
        lease.release()

        let winner = await first.value
        #expect(winner?.wasContended == true)
        winner?.release()
        #expect(await second.value?.wasContended == true)
    }

    @Test func `each task looks with the lease held, once the other process has released it`()
        async throws
    {
        let (here, there) = (leases(), leases())
        let lease = try #require(await here.acquire("a"))
        let isFree = Protected<Bool?>(nil)
        let isWaiting = Protected(false)
        let second = Task {
            await there.share(of: "a", onWait: { isWaiting.withLock { $0 = true } }) {
                let file = LockFile(directory: CacheDirectory(path: bench.directory))
                let outcome = file.tryLock(KeyLeases.offset(of: "a"), makesDirectory: false)
                isFree.withLock { $0 = outcome == .taken }
            }
        }
        await waitWhile(!isWaiting.withLock({ $0 }))
        #expect(isFree.withLock(\.self) == nil)

        lease.release()

        #expect(await second.value.isHeld)
        #expect(isFree.withLock(\.self) == false)
    }

    @Test func `no task looks under a lease of another load of this process, or without a lease`()
        async throws
    {
        let looks = Protected(0)
        let look: @Sendable () -> Void = { looks.withLock { $0 += 1 } }
        let here = leases()
        let lease = await here.share(of: "a", look: look)
        #expect(lease.isHeld && looks.withLock(\.self) == 1)

        let other = await here.share(of: "a", look: look)
        let without = await KeyLeases(directory: "/proc/no", clock: ManualClock().clock)
            .share(of: "a", look: look)

        #expect(other.isHeld && !without.isHeld)
        #expect(looks.withLock(\.self) == 1)
    }

    @Test func `leases of different keys do not wait for each other`() async throws {
        let (here, there) = (leases(), leases())
        let lease = try #require(await here.acquire("a"))

        let other = try #require(await there.acquire("b"))

        #expect(!other.wasContended)
        withExtendedLifetime(lease) {}
    }

    @Test func `the tasks of one process share a lease until the last has left`() async throws {
        let (here, there) = (leases(), leases())
        var shares: [Lease] = []
        for _ in 0..<50 { shares.append(try #require(await here.acquire("a"))) }

        let waiting = await wait(for: "a", at: there)
        let isDone = Protected(false)
        let watch = Task {
            let lease = await waiting.value
            isDone.withLock { $0 = true }
            return lease
        }
        for share in shares.dropLast() { share.release() }
        for _ in 0..<100 { await Task.yield() }
        #expect(!isDone.withLock { $0 })
        shares.last?.release()

        #expect(await watch.value?.wasContended == true)
        #expect(shares.allSatisfy { !$0.wasContended })
    }

    @Test func `a task added while others wait waits with them, and learns of the contention`()
        async throws
    {
        let (here, there) = (leases(), leases())
        let lease = try #require(await here.acquire("a"))
        let first = await wait(for: "a", at: there)
        let second = await wait(for: "a", at: there)

        lease.release()

        let (one, other) = (await first.value, await second.value)
        #expect(one?.wasContended == true && other?.wasContended == true)
    }

    @Test
    func `a waiting task continues without the lease after a while, and later ones immediately`()
        async throws
    {
        let clock = ManualClock()
        let (here, there) = (leases(), KeyLeases(directory: bench.directory, clock: clock.clock))
        let lease = try #require(await here.acquire("a"))
        let waiting = await wait(for: "a", at: there)
        await waitWhile(clock.alarmCount == 0)

        clock.advance(by: KeyLeases.patience)

        #expect(await waiting.value == nil)
        withExtendedLifetime(lease) {}
    }

    @Test func `two processes with many tasks each alternate on each key`() async throws {
        let processes = [leases(), leases()]
        let inside = Protected([[String: Int](), [String: Int]()])
        let overlaps = Protected(0)

        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let key = "\(number % 7)"
                    let (own, other) = (number % 2, 1 - number % 2)
                    let lease = await processes[own].acquire(key)
                    let otherCount = inside.withLock { inside in
                        inside[own][key, default: 0] += 1
                        return inside[other][key, default: 0]
                    }
                    if lease == nil || otherCount > 0 { overlaps.withLock { $0 += 1 } }
                    await Task.yield()
                    inside.withLock { $0[own][key, default: 0] -= 1 }
                    lease?.release()
                }
            }
        }

        #expect(overlaps.withLock { $0 } == 0)
    }

    @Test func `a waiting task may be cancelled, and the holder keeps its lease`() async throws {
        let (here, there) = (leases(), leases())
        let lease = try #require(await here.acquire("a"))
        let waiting = await wait(for: "a", at: there)

        waiting.cancel()

        #expect(await waiting.value == nil)
        let third = Task { await there.acquire("a") }
        lease.release()
        #expect(await third.value != nil)
    }

    @Test func `a cancelled task gets no lease and leaves no state`() async throws {
        let leases = leases()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await leases.acquire("a")
        }

        task.cancel()

        _ = await task.value
        #expect(await leases.acquire("a") != nil)
    }

    /// The kernel closes the files of a process that dies.
    @Test func `a process that dies frees its leases`() async throws {
        let there = leases()
        var dying: LockFile? = LockFile(directory: CacheDirectory(path: bench.directory))
        let offset = KeyLeases.offset(of: "a")
        #expect(dying?.tryLock(offset, makesDirectory: true) == .taken)
        let waiting = await wait(for: "a", at: there)

        dying = nil

        #expect(await waiting.value?.wasContended == true)
    }

    @Test func `a released lease is free`() async throws {
        let (here, there) = (leases(), leases())
        var lease = await here.acquire("a")
        #expect(lease != nil)

        lease = nil

        #expect(await there.acquire("a") != nil)
    }

    @Test func `releasing twice does not release another task's lease`() async throws {
        let (here, there) = (leases(), leases())
        let first = try #require(await here.acquire("a"))
        first.release()
        let second = try #require(await here.acquire("a"))

        first.release()

        let waiting = await wait(for: "a", at: there)
        second.release()
        #expect(await waiting.value?.wasContended == true)
    }

    @Test func `if the directory cannot be created there are no leases, immediately`() async throws
    {
        try FileManager.default.createDirectory(
            atPath: bench.root + "/cache",
            withIntermediateDirectories: true
        )
        try Data([1]).write(to: URL(fileURLWithPath: bench.directory))

        #expect(await leases().acquire("a") == nil)
    }

    @Test func `nothing runs once no task waits`() async throws {
        let (here, there) = (leases(), leases())
        let lease = try #require(await here.acquire("a"))
        let waiting = await wait(for: "a", at: there)

        lease.release()
        await waiting.value?.release()

        await waitWhile(!there.isIdle)
        #expect(here.isIdle)
    }

    @Test func `a deleted lock file is created again, so that later processes meet`()
        async throws
    {
        let (here, there) = (leases(), leases())
        await here.acquire("a")?.release()
        await waitWhile(!here.isIdle)
        try FileManager.default.removeItem(atPath: bench.directory)

        let lease = try #require(await there.acquire("a"))
        let waiting = await wait(for: "a", at: here)
        lease.release()

        #expect(await waiting.value?.wasContended == true)
    }

    @Test func `no key has the offset of the sweep's lock`() {
        for number in 0..<1_000 {
            let offset = KeyLeases.offset(of: "http://a.example/\(number)")
            #expect((0..<LockFile.sweepOffset).contains(offset))
        }
    }
}

extension KeyLeases {
    /// Returns a share that holds the lease, or nil.
    fileprivate func acquire(
        _ key: String,
        onWait: @escaping @Sendable () -> Void = {}
    ) async -> Lease? {
        let lease = await share(of: key, onWait: onWait)
        return lease.isHeld ? lease : nil
    }
}
