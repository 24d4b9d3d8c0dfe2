import Foundation
import ImageLoadingTesting
import Testing

@testable import ImageLoading

@Suite struct TraceWriterTests {
    private let path = NSTemporaryDirectory() + "trace-\(UUID().uuidString)"
    private let clock = ManualClock()

    private func writer(capacity: Int = 100) throws -> TraceWriter {
        try TraceWriter(path: path, capacity: capacity, clock: clock.clock)
    }

    private func takeLines() throws -> [Substring] {
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    }

    private func event(_ number: Int) -> TraceEvent {
        TraceEvent(time: .seconds(number), subject: "u\(number)", kind: .missed)
    }

    @Test func `recorded events are in the file between a start and an end`() throws {
        let writer = try writer()
        clock.advance(by: .seconds(9))
        for number in 0..<3 { writer.record(event(number)) }

        let summary = writer.finish()

        let lines = try takeLines()
        #expect(lines.count == 5)
        #expect(lines.first?.contains(#""event":"begin","version":1,"unix_time":10000000"#) == true)
        #expect(lines[1...3].map { $0.contains("missed") } == [true, true, true])
        #expect(lines[2] == #"{"time":1.000000,"event":"missed","url":"u1"}"#)
        #expect(lines.last == #"{"time":9.000000,"event":"end","written":3,"dropped":0}"#)
        #expect(summary.writtenCount == 3)
        #expect(summary.failure == nil)
    }

    @Test func `events of many threads are all recorded, each whole`() async throws {
        let writer = try writer(capacity: 100_000)
        await withTaskGroup { group in
            for thread in 0..<8 {
                group.addTask {
                    for number in 0..<500 { writer.record(event(thread * 1000 + number)) }
                }
            }
        }

        writer.finish()

        let lines = try takeLines()
        #expect(lines.count == 4002)
        #expect(Set(lines).count == 4002)
        #expect(lines.allSatisfy { $0.hasPrefix("{\"time\":") && $0.hasSuffix("}") })
    }

    @Test func `a reader that stops loses events, which are counted, and blocks no caller`() throws
    {
        #expect(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        let writer = try writer(capacity: 100_000)

        // A pipe holds 64 KiB, about 1,500 of these events.
        for number in 0..<50_000 { writer.record(event(number)) }
        let summary = writer.finish()

        #expect(summary.failure == "the reader has stopped")
        #expect(summary.droppedCount > 0)
        #expect(summary.droppedCount + summary.writtenCount == 50_000)
        unlink(path)
    }

    @Test func `a line reports the number of missing events`() throws {
        #expect(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDWR | O_CLOEXEC)
        let writer = try writer(capacity: 10)
        for number in 0..<50_000 { writer.record(event(number)) }

        let (lines, summary) = drain(reader, writer)

        let gaps = lines.compactMap { line -> Int? in
            guard line.contains(#""event":"dropped""#) else { return nil }
            return line.split(separator: "\"count\":").last.flatMap { Int($0.dropLast()) }
        }
        let written = lines.count { $0.contains("missed") }
        #expect(gaps.reduce(0, +) + written == 50_000)
        #expect(summary.droppedCount == gaps.reduce(0, +))
        unlink(path)
    }

    /// Reads up to the last line while the writer finishes.
    private func drain(_ reader: Int32, _ writer: TraceWriter) -> ([Substring], TraceSummary) {
        defer { close(reader) }
        let thread = WorkerPool(name: "finish", threadCount: 1)
        thread.submit(priority: .normal) { writer.finish() }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        var text = ""
        while !text.contains(#""event":"end""#) {
            let count = read(reader, &buffer, buffer.count)
            bytes += buffer.prefix(max(0, count))
            text = String(decoding: bytes.suffix(200), as: UTF8.self)
        }
        let all = String(decoding: bytes, as: UTF8.self)
        return (all.split(separator: "\n"), writer.finish())
    }

    @Test func `a full disk ends the writing and is reported at the end`() throws {
        let writer = try TraceWriter(path: "/dev/full", capacity: 10, clock: clock.clock)
        writer.record(event(1))

        let summary = writer.finish()

        #expect(summary.failure == "No space left on device")
        #expect(summary.writtenCount == 0)
        #expect(summary.droppedCount == 1)
    }

    @Test func `a file that cannot be created is reported immediately`() {
        let error = #expect(throws: TraceFileError.self) {
            _ = try TraceWriter(path: "/nowhere/trace")
        }

        #expect(
            error?.description == "cannot write the trace /nowhere/trace: No such file or directory"
        )
    }

    @Test func `events after the end are ignored`() throws {
        let writer = try writer()
        let first = writer.finish()

        writer.record(event(1))

        #expect(writer.finish() == first)
        #expect(try takeLines().count == 2)
    }
}

@Suite struct TraceQueueTests {
    private func event(_ number: Int) -> TraceEvent {
        TraceEvent(time: .seconds(number), subject: nil, kind: .missed)
    }

    @Test func `events are delivered in order, once`() {
        var queue = TraceQueue(capacity: 10)

        let wakes = (0..<3).map { queue.add(event($0)) }
        let batch = queue.take()

        #expect(wakes == [true, false, false])
        #expect(batch?.events.map(\.time) == [.seconds(0), .seconds(1), .seconds(2)])
        #expect(batch?.droppedCount == 0)
        let rest = queue.take()
        #expect(rest == nil)
    }

    @Test func `a full queue drops new events and counts them at their position`() {
        var queue = TraceQueue(capacity: 2)
        for number in 0..<5 { _ = queue.add(event(number)) }

        let first = queue.take()
        _ = queue.add(event(5))
        let second = queue.take()

        #expect(first?.events.map(\.time) == [.seconds(0), .seconds(1)])
        #expect(first?.droppedCount == 3)
        #expect(second?.events.map(\.time) == [.seconds(5)])
        #expect(second?.droppedCount == 0)
    }

    @Test func `a closed queue delivers its events and accepts no more`() {
        var queue = TraceQueue(capacity: 2)
        _ = queue.add(event(0))

        queue.close()
        let wakes = queue.add(event(1))

        #expect(!wakes)
        let batches = [queue.take(), queue.take()]
        #expect(batches == [.init(events: [event(0)]), nil])
    }
}
