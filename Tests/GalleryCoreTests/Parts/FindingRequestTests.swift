import Testing

@testable import Feeds
@testable import GalleryCore

@Suite struct FindingRequestTests {
    private let order = ItemOrder(feedCount: 10)

    private func requestNumber(_ effects: [Effect]) -> Int? {
        switch effects.first {
        case .finding(.arrange(_, _, let number)): number
        case .finding(.find(_, let number)): number
        default: nil
        }
    }

    private func needle(_ text: String) throws -> TextNeedle { try #require(TextNeedle(text)) }

    @Test func `only the newest arrangement is shown, also after a reload`() throws {
        var state = FindingState()
        let first = try #require(requestNumber(state.arrange(KnownItems())))
        let second = try #require(requestNumber(state.arrange(KnownItems())))
        #expect(state.isArranging)
        #expect(state.endArranging(first) == false)
        #expect(state.endArranging(second) == true)
        #expect(!state.isArranging)
        let third = try #require(requestNumber(state.arrange(KnownItems())))
        state.discardResults()
        #expect(state.endArranging(third) == false)
        #expect(!FindingState(after: state).isArranging)
    }

    @Test func `a filter with an invalid value is not applied`() {
        var state = FindingState()
        #expect(state.filter(by: "sun", FilterFields(names: [])) == true)
        #expect(state.filter(by: "sun", FilterFields(names: [])) == false)
        let applied = state.arrangement.filter
        #expect(state.filter(by: "size:>x", FilterFields(names: [])) == false)
        #expect(state.arrangement.filter == applied)
        #expect(state.filterText == "size:>x")
        #expect(state.filter(by: "", FilterFields(names: [])) == true)
        #expect(!state.isFiltering)
    }

    @Test func `each random order has another seed unless the user repeats one`() {
        var state = FindingState()
        func seed(_ given: UInt64?) -> UInt64 {
            _ = state.sort(by: .random, sampleCount: nil, seed: given, shuffleSeed: .max)
            return state.arrangement.seed
        }
        let (first, second) = (seed(nil), seed(nil))
        #expect(first != second)
        #expect(seed(first) == first)
        #expect(seed(nil) < 1_000_000)
    }

    @Test func `another sort key ends the reverse order`() {
        var state = FindingState()
        #expect(state.reverseOrder().text == "in reverse order")
        let notice = state.sort(by: .name, sampleCount: nil, seed: nil, shuffleSeed: 0)
        #expect(notice.text == "by name")
        #expect(!state.arrangement.isReversed)
    }

    @Test func `the first match after the start is selected, or the first of all`() throws {
        var state = FindingState()
        for (start, expected) in [(0, 2), (3, 5), (6, 2)] {
            let effects = state.find(
                try needle("a"),
                in: order,
                selection: 0,
                jumpingFrom: start
            )
            let number = try #require(requestNumber(effects))
            let jump = state.take(.all([2, 5]), number: number, count: 10)
            #expect(jump == .select(expected))
            #expect(state.take(.all([7]), number: number - 1, count: 10) == .stay)
        }
        #expect(state.search?.positions == [2, 5])
    }

    @Test func `without a match the selection returns to where typing began`() throws {
        var state = FindingState()
        let place = FindingState.Origin(selection: 4, topRow: 1)
        #expect(state.beginTyping(at: place) == place)
        #expect(state.beginTyping(at: .init(selection: 0, topRow: 0)) == place)
        let effects = state.find(try needle("a"), in: order, selection: 4, jumpingFrom: 4)
        let number = try #require(requestNumber(effects))
        #expect(state.take(.nearest(10), number: number, count: 10) == .stay)
        #expect(state.take(.all([]), number: number, count: 10) == .goBack(place))
        #expect(state.endTyping() == place)
        #expect(state.endTyping() == nil)
    }

    @Test func `steps between matches wrap at both ends`() throws {
        var state = FindingState()
        #expect(state.match(1, from: 0)?.position == nil)
        let effects = state.find(try needle("a"), in: order, selection: 0, jumpingFrom: nil)
        #expect(state.match(1, from: 0)?.notice.text == "still searching")
        let number = try #require(requestNumber(effects))
        #expect(state.take(.all([2, 5]), number: number, count: 10) == .stay)
        #expect(state.match(1, from: 2)?.position == 5)
        #expect(state.match(1, from: 5)?.position == 2)
        #expect(state.match(-1, from: 2)?.position == 5)
        #expect(state.match(-1, from: 5)?.notice.text == "match 1 of 2")
        state.endSearch()
        #expect(state.search == nil)
    }
}
