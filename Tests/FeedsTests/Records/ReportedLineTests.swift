import Testing

@testable import Feeds

/// The lines that `fetch --resume` reads.
struct ReportedLineTests {
    @Test(arguments: [
        (#"{"status":"ok","url":"http://h/1"}"#, true),
        (
            #"{"error":{"class":"permanent","message":"404"},"status":"failed","url":"u"}"#,
            true
        ),
        (
            #"{"error":{"class":"transient","message":"timeout"},"status":"failed","url":"u"}"#,
            false
        ),
        // A network whose login page replaced the image.
        (
            #"{"error":{"class":"permanent","message":"not an image: HTML page"},"#
                + #""status":"failed","url":"u"}"#, false
        ),
    ])
    func `an image that failed for good, but not by a login page, is done`(
        line: String,
        isDone: Bool
    ) {
        let report = Array("\(line)\n".utf8).withUnsafeBufferPointer { ReportedLine($0) }

        #expect(report?.isDone == isDone)
    }
}
