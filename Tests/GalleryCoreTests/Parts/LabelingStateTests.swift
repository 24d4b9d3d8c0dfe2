import Testing

@testable import GalleryCore

@Suite struct LabelingStateTests {
    @Test func `label mode warns if labels are not saved`() {
        var state = LabelingState()
        let warning = state.toggle(isKept: false)
        #expect(warning?.kind == .warning)
        #expect(state.isOn)
        let end = state.toggle(isKept: false)
        #expect(end?.text == "label mode off: digits repeat keys again")
        #expect(!state.isOn)
        #expect(state.toggle(isKept: true) == nil)
    }

    @Test func `the search for an unlabeled item continues when more items arrive`() {
        var state = LabelingState()
        #expect(state.firstUnlabeled(from: 0, count: 4) { $0 < 2 } == 2)
        #expect(state.labeledCount == nil)
        #expect(state.firstUnlabeled(from: 0, count: 4) { _ in true } == nil)
        #expect(state.labeledCount == 4)
        #expect(state.firstUnlabeled(from: 4, count: 3) { _ in true } == nil)
        state.endSearch()
        #expect(state.labeledCount == nil)
    }
}
