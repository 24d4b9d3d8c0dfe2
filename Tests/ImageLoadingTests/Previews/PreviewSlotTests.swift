import Decoders
import Testing

@testable import ImageLoading

@Suite struct PreviewSlotTests {
    private var slot = PreviewSlot(schedule: DecodingSchedule(targetSize: nil))

    /// Offers a number of bytes of an unknown format; each call takes a tenth of a second.
    private mutating func offer(_ byteCount: Int, _ tenths: Int = 0) -> Int? {
        slot.offer(
            PreviewSlot.PartialData(bytes: Array(repeating: 1, count: byteCount)),
            least: .preview,
            at: .milliseconds(100 * tenths)
        )?.bytes.count
    }

    // F15
    @Test mutating func `one is decoded at a time, and then the latest that arrived`() {
        let answers = [
            offer(5_000, 0), offer(10_000, 1), offer(20_000, 2),
            slot.ended()?.bytes.count, slot.ended()?.bytes.count, offer(40_000, 3),
        ]

        #expect(answers == [5_000, nil, nil, 20_000, nil, 40_000])
    }

    @Test mutating func `previews that grow too little or arrive too soon are left out`() {
        let first = offer(5_000, 0)
        _ = slot.ended()

        let answers = [offer(6_000, 1), offer(10_000, 0), offer(10_000, 1)]

        #expect(first == 5_000)
        #expect(answers == [nil, nil, 10_000])
    }

    @Test mutating func `if only the final result is wanted there are no previews`() {
        let work = slot.offer(
            PreviewSlot.PartialData(bytes: Array(repeating: 1, count: 5_000)),
            least: .final,
            at: .zero
        )

        let preview = offer(5_000)

        #expect(work == nil)
        #expect(preview == 5_000)
    }

    @Test mutating func `after it was stopped it accepts and delivers nothing`() {
        _ = offer(5_000, 0)
        _ = offer(10_000, 1)

        slot.stop()
        let answers = [slot.ended()?.bytes.count, offer(40_000, 2)]

        #expect(answers == [nil, nil])
    }
}
