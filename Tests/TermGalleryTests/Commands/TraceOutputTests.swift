import ArgumentParser
import FeedHarness
import Glibc
import ImageLoading
import ImageLoadingTesting
import Testing

@testable import Feeds
@testable import TermGallery

@Suite struct TraceOutputTests {
    private let folder = TestFolder()

    private func text(_ path: String) throws -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var file = FileBytes(descriptor: descriptor, name: path)
        return String(decoding: try file.rest(), as: UTF8.self)
    }

    @Test func `the trace is complete after the program's final duties`() throws {
        let path = folder.add("trace")
        let record = try TraceOutput.open(path)
        record(TraceEvent(time: .zero, subject: "u", kind: .missed))

        ExitHandlers.run()

        let lines = try text(path).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[1].contains(#""event":"missed","url":"u""#))
        #expect(lines[2].contains(#""event":"end","written":1,"dropped":0"#))
    }

    @Test func `a trace that can't be written is a failure that names it`() {
        let error = #expect(throws: ProgramFailure.self) {
            _ = try TraceOutput.open("/nowhere/trace")
        }

        #expect(error?.status == .systemFailure)
        #expect(
            error?.message == "cannot write the trace /nowhere/trace: No such file or directory"
        )
    }

    @Test func `only an incomplete trace is reported`() throws {
        let whole = try TraceWriter(path: folder.add("whole"))
        let full = try TraceWriter(path: "/dev/full")
        full.record(TraceEvent(time: .zero, subject: nil, kind: .missed))

        #expect(TraceOutput.complaint(about: whole.finish()) == nil)
        #expect(
            TraceOutput.complaint(about: full.finish())
                == "termgallery: 1 trace events were lost: No space left on device"
        )
    }

    @Test(arguments: [["a"], ["demo"], ["print", "a"], ["fetch", "a"]])
    func `every command that loads takes --trace`(call: [String]) throws {
        let arguments = call + ["--trace", "t.jsonl"]

        #expect(throws: Never.self) { _ = try TermGalleryCommand.parseAsRoot(arguments) }
    }
}
