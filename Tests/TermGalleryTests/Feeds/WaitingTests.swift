import FeedHarness
import ImageLoading
@testable import Feeds
@testable import TermGallery
import Testing

@Suite struct WaitingTests {
    @Test func `a queue gives in the order of putting, across threads`() async {
        let queue = BlockingQueue<Int>()
        async let taken = blocking { (0..<100).map { _ in queue.take() } }

        for number in 0..<100 { queue.put(number) }

        #expect(await taken == Array(0..<100))
    }

    @Test func `waiting for a task gives its value`() async {
        let value = await blocking { waitFor { await Task { 42 }.value } }

        #expect(value == 42)
    }

    @Test func `a window without loads ends immediately`() {
        let window = LoadWindow(manager: LoadingHarness().manager)

        #expect(window.next()?.index == nil)
        #expect(window.running == 0)
    }

    @Test func `each load of a window ends once, with the index it was given`() async {
        let harness = LoadingHarness()
        harness.answerEverything()
        let manager = harness.manager

        let indices = await blocking {
            let window = LoadWindow(manager: manager)
            for index in [7, 3, 5] {
                window.start(ImageRequest(url: LoadingHarness.url(index)), index: index)
            }
            var indices: Set<Int> = []
            while let ended = window.next() { indices.insert(ended.index) }
            return indices
        }

        #expect(indices == [3, 5, 7])
    }
}
