@testable import Decoders
import Synchronization

/// JPEG files that are small but costly to decode.
enum JPEGBomb {
    /// Returns a progressive file whose last scan is repeated until there are `scanCount` scans.
    static func scans(_ scanCount: Int) throws -> [UInt8] {
        let file = try Fixtures.bytes(of: "progressive.jpg")
        let starts = Fixtures.offsets(of: 0xDA, in: file)
        var bomb = Array(file.dropLast(2))
        let scan = bomb[(starts.last ?? 0)...]
        for _ in starts.count..<scanCount { bomb += scan }
        return bomb + [0xFF, 0xD9]
    }
}

/// Clocks that advance by one step each time the first of them is read.
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
