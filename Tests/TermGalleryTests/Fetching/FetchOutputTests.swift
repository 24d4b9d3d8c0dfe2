import GalleryCore
import Glibc
import ImageLoading
import Testing

@testable import TermGallery

@Suite struct FetchOutputTests {
    private let failure = FetchReport(
        url: "http://h/\u{1B}[31mx",
        result: .failure(.notFound),
        duration: .zero
    )

    @Test func `each JSON line is there when it is reported, without waiting for more`() {
        let (output, errors) = (Pipe(), Pipe())
        var fetch = FetchOutput(
            isJSONL: true,
            descriptors: .init(output: output.writeEnd, errors: errors.writeEnd)
        )

        fetch.begin(total: 2)
        fetch.report(failure)

        var waiting = pollfd(fd: output.readEnd, events: Int16(POLLIN), revents: 0)
        #expect(poll(&waiting, 1, 0) == 1)
        #expect(fetch.isRead)
    }

    @Test func `no bar is drawn where there is no terminal, and no escape gets through`() async {
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

    @Test func `a bar is drawn on a terminal and leaves nothing behind`() {
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

    @Test func `a standard output that nobody reads is noticed`() {
        let readOnly = open("/dev/null", O_RDONLY | O_CLOEXEC)
        var fetch = FetchOutput(
            isJSONL: true,
            descriptors: .init(output: readOnly, errors: readOnly)
        )

        fetch.report(failure)

        #expect(!fetch.isRead)
        close(readOnly)
    }

    @Test func `what the disk did not take is told in one line`() {
        var statistics = LoadingStatistics()
        #expect(statistics.diskProblem == nil)

        statistics.diskWriteFailures = 2
        statistics.diskFailureText = "write: No space left on device"
        #expect(
            statistics.diskProblem
                == "2 pictures not kept in the disk cache: write: No space left on device"
        )
    }
}
