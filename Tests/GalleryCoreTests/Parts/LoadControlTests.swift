import Testing

@testable import GalleryCore

@Suite struct LoadControlTests {
    @Test func `loading is paused and resumed`() {
        var loads = LoadControl()
        let paused = loads.togglePause(resumeHint: "; p resumes")
        #expect(paused == Reaction("loading paused; p resumes", effects: [.loading(.pause)]))
        #expect(loads.isPaused)
        let resumed = loads.togglePause(resumeHint: "; p resumes")
        #expect(resumed == Reaction("loading resumed", effects: [.loading(.resume)]))
        #expect(!loads.isPaused)
    }
}
