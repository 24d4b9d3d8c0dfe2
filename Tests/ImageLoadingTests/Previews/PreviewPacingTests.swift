import ImageLoadingTesting
import Testing

@testable import ImageLoading

@Suite struct PreviewPacingTests {
    private static let second = Duration.seconds(1)

    @Test func `a beginning of less than 4 KiB is not due`() {
        var pacing = PreviewPacing()
        let answers = [4095, 4096].map { pacing.isDue($0, of: nil, at: .zero) }

        #expect(answers == [false, true])
    }

    // T14
    @Test func `no more than ten are due in a second`() {
        var pacing = PreviewPacing()
        let due = (0..<1000).filter { step in
            pacing.isDue(4096 << (step / 50), of: nil, at: .milliseconds(step))
        }

        #expect(due.count == 10)
    }

    // F15
    @Test(arguments: [1, 100, 1_460, 16_384])
    func `all beginnings together are less than three times the body`(chunk: Int) {
        let total = 1 << 20
        var pacing = PreviewPacing()
        var decoded = 0

        for (step, count) in stride(from: chunk, through: total, by: chunk).enumerated()
        where pacing.isDue(count, of: total, at: Self.second * step) {
            decoded += count
        }

        #expect(decoded > 0)
        #expect(decoded < 3 * total)
    }

    @Test func `with nine tenths there, the picture is waited for`() {
        var pacing = PreviewPacing()
        let answers = [95_000, 80_000].map { pacing.isDue($0, of: 100_000, at: .zero) }

        #expect(answers == [false, true])
    }
}
