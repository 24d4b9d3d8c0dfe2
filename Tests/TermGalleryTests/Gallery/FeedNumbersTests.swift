import Testing

@testable import TermGallery

@Suite struct FeedNumbersTests {
    @Test func `only the feed that was requested last is shown`() {
        var numbers = FeedNumbers()
        let first = numbers.next()
        let second = numbers.next()

        let isFirstShown = numbers.show(first)
        #expect(!isFirstShown && numbers.shown == 0)
        let isSecondShown = numbers.show(second)
        #expect(isSecondShown && numbers.shown == second)
    }

    @Test func `a request that opens nothing does not hide the feed before it`() {
        var numbers = FeedNumbers()
        let slow = numbers.next()
        numbers.withdraw(numbers.next())

        let isShown = numbers.show(slow)
        #expect(isShown)
    }

    @Test func `an earlier request that opens nothing does not hide a later feed`() {
        var numbers = FeedNumbers()
        let nothing = numbers.next()
        let later = numbers.next()
        numbers.withdraw(nothing)

        let isShown = numbers.show(later)
        #expect(isShown)
    }
}
