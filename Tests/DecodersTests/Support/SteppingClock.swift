import Synchronization

@testable import Decoders

/// Clocks that go on by themselves, one step with each look at the first of them.
enum SteppingClock {
    private final class Count: Sendable {
        private let count = Atomic<Int>(-1)

        var value: Int { max(0, count.load(ordering: .relaxed)) }

        func next() -> Int { count.add(1, ordering: .relaxed).newValue }
    }

    static func clocks(step: Duration) -> DecodingClocks {
        let count = Count()
        return DecodingClocks(
            uptime: { step * count.next() },
            processorTime: { step * count.value }
        )
    }
}
