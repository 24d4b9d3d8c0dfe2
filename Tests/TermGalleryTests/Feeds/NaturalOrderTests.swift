import ImageLoadingTesting
import Testing

@testable import TermGallery

@Suite struct NaturalOrderTests {
    @Test(arguments: [
        ["picture 9.jpg", "picture 10.jpg", "picture 100.jpg"],
        ["A.jpg", "b.jpg", "C.jpg"],
        ["1.jpg", "01.jpg", "001.jpg", "2.jpg"],
        ["a", "a1", "a1b", "a2"],
        ["x0.jpg", "x00.jpg", "x1.jpg"],
        [
            "99999999999999999999999998", "99999999999999999999999999",
            "100000000000000000000000000",
        ],
        ["B.jpg", "b.jpg"],
        ["", "a"],
        ["1", "a"],
    ])
    func `names stand in this order`(names: [String]) {
        for (index, left) in names.enumerated() {
            for (other, right) in names.enumerated() {
                #expect(NaturalOrder.areInOrder(left, right) == (index < other), "\(left) \(right)")
            }
        }
    }

    @Test(arguments: 0..<20)
    func `any names have one order`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let names = (0..<40).map { _ in
            String((0..<4).compactMap { _ in "aB01 9._é".randomElement(using: &generator) })
        }

        let sorted = names.sorted(by: NaturalOrder.areInOrder)

        #expect(
            sorted == names.shuffled(using: &generator).sorted(by: NaturalOrder.areInOrder),
            "seed \(seed)"
        )
    }
}
