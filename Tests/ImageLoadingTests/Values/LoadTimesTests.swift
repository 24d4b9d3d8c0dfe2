import ImageLoadingTesting
import Testing

@testable import ImageLoading

@Suite struct LoadTimesTests {
    private func progress(_ received: Int) -> DownloadEvent {
        .progress(LoadProgress(received: received, expected: nil))
    }

    @Test func `stages follow each other, and of several attempts the last one counts`() {
        var watch = LoadStopwatch(start: .seconds(10))
        watch.note(.queued, at: .seconds(10))
        watch.note(progress(0), at: .seconds(11))
        watch.note(progress(0), at: .seconds(12))
        watch.note(.queued, at: .seconds(13))
        watch.note(progress(0), at: .seconds(15))
        watch.note(progress(0), at: .seconds(16))
        watch.note(progress(500), at: .seconds(17))
        watch.noteArrival(at: .seconds(20))
        watch.noteDecoding(.seconds(2))

        let times = watch.times(at: .seconds(23))

        #expect(times.total == .seconds(13))
        #expect(times.waiting == .seconds(5))
        #expect(times.answer == .seconds(1))
        #expect(times.transfer == .seconds(4))
        #expect(times.decoding == .seconds(2))
    }

    @Test func `without a transfer there are no transfer times`() {
        var watch = LoadStopwatch(start: .zero)
        watch.noteDecoding(.milliseconds(3))
        let times = watch.times(at: .milliseconds(5))
        #expect(times.total == .milliseconds(5) && times.decoding == .milliseconds(3))
        #expect(times.waiting == nil && times.answer == nil && times.transfer == nil)
    }

    @Test func `a loaded image has times, and one from memory has none`() async throws {
        let harness = ManagerHarness()
        harness.answerEverything()
        let first = try await harness.load("http://a.example/1.png").result().get()
        let second = try await harness.load("http://a.example/1.png").result().get()
        #expect(first.times?.decoding != nil && first.times?.answer != nil)
        #expect(second.source == .memory && second.times == nil)
    }
}
