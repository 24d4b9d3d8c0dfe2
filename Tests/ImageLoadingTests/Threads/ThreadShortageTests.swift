import SystemSupport
import Testing

@testable import ImageLoading

/// The behavior when the system provides no more threads.
@Suite struct ThreadShortageTests {
    /// The system provides no thread at first: work that can be refused is refused, and the caller
    /// performs all other work.
    @Test func `a pool without a thread tries again with the next work`() async throws {
        let (isOut, performed) = (Protected(true), Protected<[Int]>([]))
        let core = WorkerCore(order: .oldestFirst, threadLimit: 1) { core, _ in
            !isOut.withLock { $0 }
                && POSIXThread.startDetached(name: "late") { core.runThread() }
        }
        let refused = Protected(false)
        core.submit(
            WorkItem(perform: {}, refuse: { refused.withLock { $0 = true } }),
            priority: .normal
        )
        core.submit(
            WorkItem(perform: { performed.withLock { $0.append(1) } }, refuse: nil),
            priority: .normal
        )
        #expect(refused.withLock { $0 } && performed.withLock { $0 } == [1])

        isOut.withLock { $0 = false }
        await withHandOver { continuation in
            core.submit(
                WorkItem(perform: { continuation.resume(returning: ()) }, refuse: nil),
                priority: .normal
            )
        }
        #expect(core.threadCount == 1)
        core.shutdown()
    }

    @Test func `whether threads are available is determined by starting them`() {
        var isCalled = false
        #expect(POSIXThread.canStart(4, waitsForEnd: true) { isCalled = true } && isCalled)
    }
}
