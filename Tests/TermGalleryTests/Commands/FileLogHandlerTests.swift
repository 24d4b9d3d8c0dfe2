import FeedHarness
import Glibc
import ImageLoading
import ImageLoadingTesting
import Logging
import Testing

@testable import Feeds
@testable import TermGallery

@Suite struct FileLogHandlerTests {
    private let folder = TestFolder()

    private func lines(_ path: String) throws -> [Substring] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var file = FileBytes(descriptor: descriptor, name: path)
        return String(decoding: try file.rest(), as: UTF8.self).split(separator: "\n")
    }

    @Test func `messages are appended, a line each, with sorted metadata`() throws {
        let path = folder.add("log", Array("before\n".utf8))
        let handler = try FileLogHandler(path: path)
        let logger = Logger(label: "test") { _ in handler }

        logger.notice("failed", metadata: ["url": "u", "class": "permanent"])
        logger.debug("loaded")

        let lines = try lines(path)
        #expect(lines.count == 3)
        #expect(lines[0] == "before")
        #expect(lines[1].hasSuffix("Z notice failed class=permanent url=u"))
        #expect(lines[2].hasSuffix("Z debug loaded"))
    }

    @Test func `control characters cannot forge lines or colors`() throws {
        let path = folder.add("log")
        let handler = try FileLogHandler(path: path)
        let logger = Logger(label: "test") { _ in handler }

        logger.notice("a", metadata: ["reason": "x\n2026 notice forged\u{1B}[31m\u{9B}m"])

        let lines = try lines(path)
        #expect(lines.count == 1)
        #expect(lines[0].hasSuffix(#"reason=x\u000a2026 notice forged\u001b[31m\u009bm"#))
    }

    @Test func `a log that can't be written is a failure that names it`() {
        let error = #expect(throws: ProgramFailure.self) {
            try FileLogHandler(path: "/nowhere/log")
        }

        #expect(error?.status == .systemFailure)
        #expect(
            error?.message == "cannot write the log /nowhere/log: No such file or directory"
        )
    }

    @Test func `a full disk loses lines of the log, which is reported at the end`() throws {
        let handler = try FileLogHandler(path: "/dev/full")
        let logger = Logger(label: "test") { _ in handler }
        #expect(handler.complaint == nil)

        logger.notice("one")
        logger.notice("two")

        #expect(handler.complaint == "termgallery: 2 log lines were lost: No space left on device")
    }

    @Test func `a pipe without a reader is a failure, not a wait`() {
        let path = folder.addPipe("log")

        let error = #expect(throws: ProgramFailure.self) { try FileLogHandler(path: path) }

        #expect(error?.message == "cannot write the log \(path): it has no reader")
    }

    @Test func `a load's secrets stay out of the log`() async throws {
        let path = folder.add("log")
        let harness = LoadingHarness(logger: try Self.logger(path))
        harness.transport.answerStarts { _ in .body([], status: 404) }

        for url in ["https://me:secret@h.example/a.png?key=secret#secret", "http://me:secret@[h/"] {
            _ = try? await harness.manager.response(for: ImageRequest(url: url))
        }

        let text = try lines(path).joined(separator: "\n")
        #expect(text.contains("url=https://h.example/a.png"))
        #expect(!text.contains("secret"))
        #expect(!text.contains("me:"))
    }

    private static func logger(_ path: String) throws -> Logger {
        let handler = try FileLogHandler(path: path)
        return Logger(label: "test") { _ in handler }
    }
}
