import Foundation
import ImageLoadingTesting
import SystemSupport
import Testing

@testable import ImageLoading

struct WorkerPoolTests {
    /// Returns a pool of one thread that waits at the gate, so that further work is queued.
    private func heldPool(_ gate: Gate, order: WorkOrder = .newestFirst) -> WorkerPool {
        let pool = WorkerPool(name: "held", threadCount: 1, order: order)
        let entered = DispatchSemaphore(value: 0)
        pool.submit(priority: .high) {
            entered.signal()
            gate.pass()
        }
        entered.wait()
        return pool
    }

    private func waitUntil(_ isTrue: () -> Bool) async {
        await waitWhile(!isTrue())
    }

    @Test func `the result of the work is returned`() async throws {
        let pool = WorkerPool(name: "one", threadCount: 2)

        #expect(try await pool.run(priority: .low) { _ in 6 * 7 } == 42)
    }

    @Test func `work runs outside of the cooperative pool, on a thread with the pool's name`()
        async throws
    {
        let pool = WorkerPool(name: "named", threadCount: 1)

        let name = try await pool.run(priority: .low) { _ in
            try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
        }

        #expect(name == "named-0\n")
    }

    @Test(arguments: [(0, 7), (7, 14), (14, 19)])
    func `a thread has the requested niceness above its starting thread`(
        outside: Int,
        inside: Int
    ) async throws {
        let pool = WorkerPool(name: "nice", threadCount: 1, niceness: 7)
        let before = try #require(niceness())
        // The nice value cannot be lowered again.
        let starter = WorkerPool(name: "starter", threadCount: 1, niceness: outside)

        let found = await starter.runToEnd(priority: .low) {
            let ran = DispatchSemaphore(value: 0)
            let found = Protected<Int?>(nil)
            pool.submit(priority: .low) {
                found.withLock { $0 = niceness() }
                ran.signal()
            }
            ran.wait()
            return found.withLock { $0 }
        }

        #expect(found == min(19, before + inside))
        #expect(niceness() == before)
    }

    @Test func `threads of ours take no signals, which belong to the program's signalfd`()
        async throws
    {
        let pool = WorkerPool(name: "mask", threadCount: 1)

        let isBlocked = try await pool.run(priority: .low) { _ in
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            return [SIGINT, SIGTERM, SIGWINCH].allSatisfy { sigismember(&mask, $0) == 1 }
        }

        #expect(isBlocked)
    }

    @Test func `waiting work is begun by priority, newest first`() async {
        let gate = Gate()
        let pool = heldPool(gate)
        let log = Protected<[String]>([])

        for (name, priority) in [("a", LoadPriority.low), ("b", .high), ("c", .high)] {
            pool.submit(priority: priority) { log.withLock { $0.append(name) } }
        }
        gate.open()
        await pool.runToEnd(priority: .low) {}
        await waitUntil { pool.waitingCount == 0 }
        await pool.runToEnd(priority: .low) {}

        #expect(log.withLock { $0 } == ["c", "b", "a"])
    }

    @Test func `one thread with the oldest first does one thing after the other`() async {
        let gate = Gate()
        let pool = heldPool(gate, order: .oldestFirst)
        let log = Protected<[Int]>([])

        for number in 0..<100 {
            pool.submit(priority: .normal) { log.withLock { $0.append(number) } }
        }
        gate.open()
        await pool.runToEnd(priority: .normal) {}

        #expect(log.withLock { $0 } == Array(0..<100))
    }

    @Test func `work cancelled while it waits is never run and its waiter returns immediately`()
        async
    {
        let gate = Gate()
        let pool = heldPool(gate)
        let hasRun = CancellationFlag()
        let waiter = Task {
            try await pool.run(priority: .high) { _ in hasRun.cancel() }
        }
        await waitUntil { pool.waitingCount == 1 }

        waiter.cancel()
        let result = await waiter.result

        #expect(throws: CancellationError.self) { try result.get() }
        gate.open()
        await pool.runToEnd(priority: .low) {}
        #expect(!hasRun.isCancelled)
    }

    @Test func `work of a task that is cancelled already is never run`() async {
        let pool = WorkerPool(name: "late", threadCount: 1)
        let hasRun = CancellationFlag()
        let gate = AsyncStream<Void>.makeStream()
        let waiter = Task {
            for await _ in gate.stream {}
            return try await pool.run(priority: .high) { _ in hasRun.cancel() }
        }

        waiter.cancel()
        gate.continuation.finish()

        await #expect(throws: CancellationError.self) { try await waiter.value }
        await pool.runToEnd(priority: .low) {}
        #expect(!hasRun.isCancelled)
    }

    @Test func `running work is notified of its cancellation and its result still arrives`()
        async throws
    {
        let pool = WorkerPool(name: "poll", threadCount: 1)
        let begun = CancellationFlag()
        let waiter = Task {
            try await pool.run(priority: .high) { flag in
                begun.cancel()
                while !flag.isCancelled { sched_yield() }
                return "stopped early"
            }
        }
        await waitUntil { begun.isCancelled }

        waiter.cancel()

        #expect(try await waiter.value == "stopped early")
    }

    @Test func `shutting down refuses waiting runs and still performs submitted work`() async {
        let gate = Gate()
        let pool = heldPool(gate)
        let submitted = CancellationFlag()
        let waiter = Task { try await pool.run(priority: .high) { _ in } }
        await waitUntil { pool.waitingCount == 1 }
        pool.submit(priority: .low) { submitted.cancel() }

        pool.shutdown()

        await #expect(throws: CancellationError.self) { try await waiter.value }
        gate.open()
        await waitUntil { pool.threadCount == 0 }
        #expect(submitted.isCancelled)
    }

    @Test func `after shutting down a run is refused and a submission done by the caller`() async {
        let pool = WorkerPool(name: "shut", threadCount: 2)
        pool.shutdown()
        await waitUntil { pool.threadCount == 0 }

        await #expect(throws: CancellationError.self) {
            try await pool.run(priority: .high) { _ in }
        }
        #expect(await pool.runToEnd(priority: .high) { 3 } == 3)
    }

    @Test func `releasing pools ends their threads`() async throws {
        for _ in 0..<20 {
            let pool = WorkerPool(name: "leaky", threadCount: 4)
            #expect(try await pool.run(priority: .low) { _ in true })
        }

        await waitUntil { threadNames().allSatisfy { !$0.hasPrefix("leaky") } }
    }

    @Test func `every one of 2,000 runs ends once, whether it is cancelled or not`() async {
        let pool = WorkerPool(name: "storm", threadCount: 3)
        let performed = Protected(0)
        var generator = SeededGenerator(seed: 2)
        var waiters: [Task<Void, any Error>] = []

        for _ in 0..<2_000 {
            let priority = LoadPriority.allCases.randomElement(using: &generator) ?? .low
            waiters.append(
                Task {
                    try await pool.run(priority: priority) { _ in performed.withLock { $0 += 1 } }
                }
            )
            if Bool.random(using: &generator) { waiters.randomElement(using: &generator)?.cancel() }
        }
        var succeeded = 0
        for waiter in waiters where (try? await waiter.value) != nil { succeeded += 1 }

        #expect(performed.withLock { $0 } == succeeded)
        #expect(pool.waitingCount == 0)
    }
}

/// Returns the nice value of the calling thread, from field 19 of its stat line.
private func niceness() -> Int? {
    let text = try? String(contentsOfFile: "/proc/thread-self/stat", encoding: .utf8)
    let fields = text?.split(separator: ")").last?.split(separator: " ")
    return fields.flatMap { $0.count > 16 ? Int($0[16]) : nil }
}

private func threadNames() -> [String] {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.compactMap {
        try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
    }
}

struct PriorityHandleTests {
    // F24
    @Test func `waiting work can be raised above work of higher priority, and is ordered by age`()
        async throws
    {
        let pool = WorkerPool(name: "test", threadCount: 1, order: .oldestFirst)
        let (gate, log) = (Gate(), Protected<[String]>([]))
        pool.submit(priority: .high) { gate.pass() }
        await waitWhile(pool.waitingCount > 0)
        let handle = PriorityHandle(priority: .low)
        let lifted = Task {
            _ = try await pool.run(handle) { _ in log.withLock { $0.append("lifted") } }
        }
        await waitWhile(pool.waitingCount < 1)
        let normal = Task {
            _ = try await pool.run(priority: .normal) { _ in log.withLock { $0.append("normal") } }
        }
        await waitWhile(pool.waitingCount < 2)
        let high = Task {
            _ = try await pool.run(priority: .high) { _ in log.withLock { $0.append("high") } }
        }
        await waitWhile(pool.waitingCount < 3)

        handle.priority = .high
        gate.open()
        for task in [lifted, normal, high] { try await task.value }

        #expect(log.withLock { $0 } == ["lifted", "high", "normal"])
    }

    @Test func `a handle has no effect on finished work`() async throws {
        let pool = WorkerPool(name: "test", threadCount: 1)
        let handle = PriorityHandle(priority: .low)
        _ = try await pool.run(handle) { _ in 1 }

        handle.priority = .high

        #expect(pool.waitingCount == 0)
    }
}
