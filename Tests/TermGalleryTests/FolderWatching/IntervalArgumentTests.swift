import Testing

@testable import TermGallery

@Suite struct IntervalArgumentTests {
    @Test(
        arguments: [
            ("500ms", 500), ("10s", 10_000), ("5m", 300_000), ("1h", 3_600_000), ("3", 3000),
            ("0.5", 500), ("2.5S", 2500),
        ]
    )
    func `a number and its unit are a duration`(text: String, milliseconds: Int) {
        #expect(IntervalArgument(argument: text)?.duration == .milliseconds(milliseconds))
    }

    @Test(arguments: [
        "", "s", "-1", "0", "1d", "1e3", "nan", "inf", "1 s", "1.2.3", "100000h", "٣s",
    ])
    func `anything else is not a duration`(text: String) {
        #expect(IntervalArgument(argument: text) == nil)
    }
}
