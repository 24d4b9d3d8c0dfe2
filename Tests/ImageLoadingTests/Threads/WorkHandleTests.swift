import ImageLoading
import Testing

struct WorkHandleTests {
    // F24
    @Test func `waiting work is lifted over work of higher priority, and counts by its age`()
        async throws
    {
        let pool = WorkerPool(name: "test", threadCount: 1, order: .oldestFirst)
        let (gate, log) = (Gate(), Protected<[String]>([]))
        pool.submit(priority: .high) { gate.pass() }
        let handle = WorkHandle(priority: .low)
        let lifted = Task {
            _ = try await pool.run(handle) { _ in log.withLock { $0.append("lifted") } }
        }
        while pool.waitingCount < 1 { await Task.yield() }
        let normal = Task {
            _ = try await pool.run(priority: .normal) { _ in log.withLock { $0.append("normal") } }
        }
        while pool.waitingCount < 2 { await Task.yield() }
        let high = Task {
            _ = try await pool.run(priority: .high) { _ in log.withLock { $0.append("high") } }
        }
        while pool.waitingCount < 3 { await Task.yield() }

        handle.priority = .high
        gate.open()
        for task in [lifted, normal, high] { try await task.value }

        #expect(log.withLock { $0 } == ["lifted", "high", "normal"])
    }

    @Test func `a handle has no say over work that is done`() async throws {
        let pool = WorkerPool(name: "test", threadCount: 1)
        let handle = WorkHandle(priority: .low)
        _ = try await pool.run(handle) { _ in 1 }

        handle.priority = .high

        #expect(pool.waitingCount == 0)
    }
}
