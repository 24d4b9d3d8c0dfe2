import Decoders
import FeedHarness
import GalleryCore
import Glibc
import ImageLoading
@testable import Feeds
@testable import TermGallery
@testable import TerminalUI
import Testing
import SystemSupport

@Suite struct FetchOutputTests {
    private let failure = FetchReport(
        url: "http://h/\u{1B}[31mx",
        result: .failure(.notFound),
        duration: .zero
    )

    @Test func `each JSON line is written when the run waits, without waiting for more`() {
        let (output, errors) = (Pipe(), Pipe())
        var fetch = FetchOutput(
            isJSONL: true,
            descriptors: .init(output: output.writeEnd, errors: errors.writeEnd)
        )

        fetch.begin(total: 2)
        fetch.report(failure)
        fetch.flush()

        var waiting = pollfd(fd: output.readEnd, events: Int16(POLLIN), revents: 0)
        #expect(poll(&waiting, 1, 0) == 1)
        #expect(fetch.result.isOpen)
    }

    @Test func `a full disk is reported, a closed reader is not`() throws {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        var fetch = FetchOutput(isJSONL: true, descriptors: .init(output: full))

        fetch.report(failure)
        fetch.flush()
        let problem = try #require(fetch.result.problem)

        #expect(problem == "cannot write the output: No space left on device")
        #expect(!fetch.result.isOpen)
        #expect(throws: ProgramFailure(.systemFailure, problem)) { try fetch.result.check() }
    }

    @Test func `control characters in an error message are escaped`() async {
        let (output, errors) = (Pipe(), Pipe())
        let descriptors = FetchOutput.Descriptors(output: output.writeEnd, errors: errors.writeEnd)
        let report = FetchReport(
            url: "feed.txt",
            result: .failure(.download(.processing("\u{1B}[31m\u{7}\u{9B}2J\0"))),
            duration: .zero
        )

        let text = await errors.text { _ in
            var fetch = FetchOutput(isJSONL: false, descriptors: descriptors)
            fetch.report(report)
            fetch.end()
        }

        #expect(text.hasPrefix("feed.txt: ") && text.contains("\\u001b[31m\\u0007\\u009b2J\\u0000"))
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !EscapedText.mustEscape($0) })
    }

    @Test func `without a terminal no bar is drawn, and no escape sequence gets through`() async {
        let (output, errors) = (Pipe(), Pipe())
        let descriptors = FetchOutput.Descriptors(
            output: output.writeEnd,
            errors: errors.writeEnd
        )

        let text = await errors.text { _ in
            var fetch = FetchOutput(isJSONL: false, descriptors: descriptors)
            fetch.begin(total: 1)
            fetch.report(failure)
            fetch.end()
        }

        #expect(text.hasPrefix("http://h/"))
        #expect(text.hasSuffix("x: 404 not found\n"))
        #expect(!text.contains("\u{1B}"))
        #expect(!text.contains("\r"))
    }

    @Test func `a bar is drawn on a terminal and leaves no trace`() {
        // TIOCSPTLCK and TIOCGPTPEER: what openpty does, which Swift's Glibc doesn't have.
        let controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: Int32 = 0
        _ = ioctl(controller, 0x4004_5431, &isLocked)
        let terminal = ioctl(controller, 0x5441, O_RDWR | O_NOCTTY)
        let output = Pipe()
        var fetch = FetchOutput(
            isJSONL: false,
            descriptors: .init(output: output.writeEnd, errors: terminal)
        )

        fetch.begin(total: 1)
        fetch.end()

        // The kernel hands the two writes over one by one.
        var text = ""
        var bytes = [UInt8](repeating: 0, count: 4096)
        while !text.contains("\u{1B}[K") {
            let count = read(controller, &bytes, bytes.count)
            guard count > 0 else { break }
            text += String(decoding: bytes.prefix(count), as: UTF8.self)
        }
        #expect(text.contains("[------------------------------] 0/1"))
        #expect(text.hasSuffix("\r\u{1B}[K"))
        close(terminal)
        close(controller)
    }

    @Test func `a standard output without a reader is noticed`() {
        let readOnly = open("/dev/null", O_RDONLY | O_CLOEXEC)
        var fetch = FetchOutput(
            isJSONL: true,
            descriptors: .init(output: readOnly, errors: readOnly)
        )

        fetch.report(failure)
        fetch.flush()

        #expect(!fetch.result.isOpen)
        close(readOnly)
    }

    @Test func `failed writes to the disk cache are reported in one line`() {
        var statistics = LoadingStatistics()
        #expect(statistics.diskProblem == nil)

        statistics.diskWriteFailures = 2
        statistics.diskFailureText = "write: No space left on device"
        #expect(
            statistics.diskProblem
                == "2 images not stored in the disk cache: write: No space left on device"
        )
    }
}

@Suite struct FetchReportTests {
    private let image = DecodedImage(
        pixels: PixelBuffer(
            size: PixelSize(width: 1, height: 1),
            bytes: [0, 0, 0, 255],
            hasAlpha: false
        ),
        properties: ImageProperties(
            format: .jpeg,
            size: PixelSize(width: 640, height: 480),
            orientation: 1,
            hasAlpha: false,
            isProgressive: false
        )
    )

    @Test func `an image from the network is reported with its own size`() {
        let response = ImageResponse(
            image: image,
            source: .network,
            byteCount: 1234,
            httpStatus: 200
        )

        let report = FetchReport(
            url: "http://h/a/1.jpg",
            result: .success(response),
            duration: .microseconds(12_900)
        )

        #expect(
            report.line
                == #"{"bytes":1234,"format":"jpeg","height":480,"http":200,"ms":12,"#
                + #""source":"network","status":"ok","url":"http://h/a/1.jpg","width":640}"#
        )
    }

    @Test func `an image shown instead of a failed refresh is reported as stale`() {
        var response = ImageResponse(image: image, source: .disk, byteCount: 5, httpStatus: nil)
        response.isStale = true
        let report = FetchReport(url: "u", result: .success(response), duration: .zero)

        let line = report.line

        #expect(line.contains(#""stale":true,"status":"ok""#))
    }

    @Test func `a camera file whose thumbnail alone can be decoded is reported as incomplete`() {
        var stamp = image
        stamp.isThumbnail = true
        let response = ImageResponse(image: stamp, source: .disk, byteCount: 5, httpStatus: nil)

        let line = FetchReport(url: "u", result: .success(response), duration: .zero).line

        #expect(line.contains(#""complete":false"#))
        #expect(line.contains(#""reason":"only a thumbnail can be decoded""#))
    }

    @Test(arguments: [(ImageSource.memory, "memory"), (.disk, "disk")])
    func `a cached image has no http status`(source: ImageSource, name: String) {
        let response = ImageResponse(image: image, source: source, byteCount: 0, httpStatus: nil)

        let line = FetchReport(url: "u", result: .success(response), duration: .zero).line

        #expect(line.contains(#""source":"\#(name)""#))
        #expect(!line.contains("http"))
    }

    @Test func `a failure reports stage, class, whether to retry, and the reason`() {
        let error = ImageLoadingError(
            stage: .download,
            kind: .transient,
            reason: .httpStatus(503)
        )

        let report = FetchReport(url: "u", result: .failure(error), duration: .seconds(2))

        #expect(
            report.line
                == #"{"error":{"class":"transient","message":"503 service unavailable","#
                + #""retryable":true,"stage":"download"},"http":503,"ms":2000,"#
                + #""status":"failed","url":"u"}"#
        )
    }

    @Test func `an unreadable archive member is reported with its own path`() {
        let member = FeedItem(url: "archive:///shard.zip!/a.jpg?xencrypted&1-2")
        let line = FeedItem(url: "a b")

        #expect(FetchReport(unusable: member, "encrypted").error?.message == "encrypted")
        #expect(FetchReport(unusable: line, "a b").error?.message == "not a URL: a b")
    }

    @Test func `a line never contains terminal control sequences`() {
        let url = "http://h/\u{9B}31m\u{202E}\u{7F}\u{E0001}"
        let line = FetchReport(url: url, result: .failure(.notFound), duration: .zero).line

        #expect(line.contains(#""url":"http://h/\u009b31m\u202e\u007f\udb40\udc01""#))
    }

    @Test(arguments: [
        ("http://user:secret@h/a?b=c", "http://h/a?b=c"), ("https://secret@h", "https://h"),
        ("http://h/me@home.png", "http://h/me@home.png"), ("http://u:se/cret@h/a", "http://…"),
        ("data:,a@b", "data:,a@b"), ("file:///a@b", "file:///a@b"),
    ])
    func `a report contains no login`(url: String, shown: String) {
        let report = FetchReport(url: url, result: .failure(.notFound), duration: .zero)

        #expect(report.url == shown)
    }

    @Test func `a URL with quotes, line breaks and escapes stays on one line`() {
        let line = FetchReport(
            url: "a\"b\n\u{1B}\\",
            result: .failure(.notFound),
            duration: .zero
        )
        .line

        #expect(line.contains(#""url":"a\"b\n\u001b\\""#) || line.contains(#"a\"b\n\u001B\\"#))
        #expect(!line.contains("\n"))
    }
}

@Suite struct EchoedFieldTests {
    private let report = FetchReport(url: "u", result: .failure(.notFound), duration: .zero)

    @Test func `an entry's other fields follow, and do not replace ours`() {
        let fields = [
            ListEntry.Field(name: "id", json: "7"), ListEntry.Field(name: "status", json: "\"x\""),
            ListEntry.Field(name: "a \"b\"", json: "{\"c\":[null]}"),
        ]

        let line = String(decoding: report.jsonLine(with: fields), as: UTF8.self)

        #expect(line.hasSuffix(#","status":"failed","url":"u","id":7,"a \"b\"":{"c":[null]}}"#))
    }

    @Test func `echoed fields never contain terminal control sequences`() {
        let fields = [ListEntry.Field(name: "a\u{9B}", json: "\"\u{9B}31m\"")]

        let line = String(decoding: report.jsonLine(with: fields), as: UTF8.self)

        #expect(line.hasSuffix(#","a\u009b":"\u009b31m"}"#))
    }
}

extension FetchReport {
    fileprivate var line: String { String(decoding: jsonLine(), as: UTF8.self) }
}
