import Testing

@testable import ImageLoading

@Suite struct HandOverTests {
    private final class Made: Sendable {
        let number: Int

        init(_ number: Int) { self.number = number }
    }

    @Test func `a value that arrives before the task waits is not lost`() async {
        let value = await withHandOver { $0.resume(returning: 7) }

        #expect(value == 7)
    }

    @Test func `nil can be handed over too`() async {
        let value: Int? = await withHandOver { $0.resume(returning: nil) }

        #expect(value == nil)
    }

    /// A test for the thread sanitizer: the value is provided about as often before the task waits
    /// as after that.
    @Test func `a value made by another thread can be read immediately`() async {
        let pool = WorkerPool(name: "maker", threadCount: 1)
        for number in 0..<10_000 {
            let made = await withHandOver { handOver in
                pool.submit(priority: .normal) { handOver.resume(returning: Made(number)) }
            }

            if made.number != number { Issue.record("\(made.number) instead of \(number)") }
        }
    }

    @MainActor
    @Test func `the body runs where the caller is`() async {
        let value = await withHandOver { handOver in
            MainActor.assertIsolated()
            handOver.resume(returning: 7)
        }

        MainActor.assertIsolated()
        #expect(value == 7)
    }
}
