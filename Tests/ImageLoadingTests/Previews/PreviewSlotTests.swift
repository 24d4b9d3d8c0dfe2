import Testing

@testable import ImageLoading

@Suite struct PreviewSlotTests {
    // F15
    @Test func `one beginning is decoded at a time, and then the latest of those that came`() {
        var slot = PreviewSlot()

        let answers = [
            slot.offer([1]), slot.offer([1, 2]), slot.offer([1, 2, 3]),
            slot.ended(), slot.ended(), slot.offer([1, 2, 3, 4]),
        ]

        #expect(answers == [[1], nil, nil, [1, 2, 3], nil, [1, 2, 3, 4]])
    }

    @Test func `once stopped it takes nothing and gives nothing`() {
        var slot = PreviewSlot()
        _ = slot.offer([1])
        _ = slot.offer([2])

        slot.stop()
        let answers = [slot.ended(), slot.offer([3])]

        #expect(answers == [nil, nil])
    }
}
