import Testing

@testable import ImageLoading

@Suite struct PreviewPacingTests {
    @Test func `no more than ten are due in a second`() {
        var pacing = PreviewPacing()
        let due = (0..<1000).filter { step in
            guard pacing.isDue(at: .milliseconds(step)) else { return false }
            pacing.note(at: .milliseconds(step))
            return true
        }

        #expect(due.count == 10)
    }
}
