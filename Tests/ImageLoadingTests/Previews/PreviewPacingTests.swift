import Testing

@testable import ImageLoading

@Suite struct PreviewPacingTests {
    @Test func `at most ten previews are due per second`() {
        var pacing = PreviewPacing()
        let due = (0..<1000).filter { step in
            guard pacing.isDue(at: .milliseconds(step)) else { return false }
            pacing.note(at: .milliseconds(step))
            return true
        }

        #expect(due.count == 10)
    }
}
