import Testing

@testable import TermGallery

@Suite struct FeedNumbersTests {
    private var numbers = FeedNumbers()

    @Test mutating func `only the feed that was requested last is shown`() {
        let first = numbers.next()
        let second = numbers.next()

        #expect(!numbers.show(first))
        #expect(numbers.shown == 0)
        #expect(numbers.show(second))
        #expect(numbers.shown == second)
    }

    @Test mutating func `a request that opens nothing does not hide the feed before it`() {
        let slow = numbers.next()
        let nothing = numbers.next()

        numbers.withdraw(nothing)

        #expect(numbers.show(slow))
    }

    @Test mutating func `an earlier request that opens nothing does not hide a later feed`() {
        let nothing = numbers.next()
        let later = numbers.next()

        numbers.withdraw(nothing)

        #expect(numbers.show(later))
    }
}
