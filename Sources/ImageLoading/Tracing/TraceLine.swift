internal import SystemSupport

/// Converts trace events to JSON; `Documentation/Trace.md` describes the fields.
///
/// This type has no side effects. Programs rely on the names of events and fields: names may be
/// added but not changed.
enum TraceLine {
    /// The version of the format; it is written in the first line of each file.
    static let version = 1

    /// Returns the line for an event, without a line feed.
    static func text(of event: TraceEvent) -> [UInt8] {
        var line = JSONLine()
        line.add("time", event.time)
        line.add("event", event.kind.name)
        if let subject = event.subject { line.add(event.kind.subjectName, subject) }
        event.kind.addFields(to: &line)
        return line.closed()
    }

    /// Returns the first line of a trace, with the wall-clock time.
    ///
    /// Readers use the line to convert the times of all lines to wall-clock times.
    static func start(_ time: Duration, wallTime: Int) -> [UInt8] {
        var line = JSONLine()
        line.add("time", time)
        line.add("event", "begin")
        line.add("version", version)
        line.add("unix_time", wallTime)
        return line.closed()
    }

    /// Returns the line that reports that `count` events are missing.
    static func gap(_ time: Duration, count: Int) -> [UInt8] {
        var line = JSONLine()
        line.add("time", time)
        line.add("event", "dropped")
        line.add("count", count)
        return line.closed()
    }

    /// Returns the last line; if a file does not end with this line, the trace is incomplete.
    static func end(_ time: Duration, _ summary: TraceSummary) -> [UInt8] {
        var line = JSONLine()
        line.add("time", time)
        line.add("event", "end")
        line.add("written", summary.writtenCount)
        line.add("dropped", summary.droppedCount)
        return line.closed()
    }
}

extension TraceEvent.Kind {
    /// The name of the kind in trace lines.
    package var name: String {
        switch self {
        case .queued: "queued"
        case .coalesced: "coalesced"
        case .hit: "hit"
        case .missed: "missed"
        case .started: "started"
        case .firstByte: "first_byte"
        case .progress: "progress"
        case .notModified: "not_modified"
        case .decoded: "decoded"
        case .stored: "stored"
        case .retried: "retried"
        case .detached: "detached"
        case .cancelled: "cancelled"
        case .stoppedEarly: "stopped"
        case .succeeded: "succeeded"
        case .failed: "failed"
        case .evicted: "evicted"
        case .purged: "purged"
        case .hostAvailability: "host"
        }
    }

    fileprivate var subjectName: String {
        if case .hostAvailability = self { "host" } else { "url" }
    }

    fileprivate func addFields(to line: inout JSONLine) {
        switch self {
        case .coalesced, .missed, .notModified, .detached: break
        case .queued(let priority): line.add("priority", "\(priority)")
        case .hit(let source), .succeeded(let source): line.add("source", source.rawValue)
        case .started(let resumedFrom): line.add("resumed_from", resumedFrom)
        case .firstByte(let status, let expected):
            line.add("status", status)
            if let expected { line.add("expected", expected) }
        case .progress(let progress):
            line.add("received", progress.received)
            if let expected = progress.expected { line.add("expected", expected) }
        case .decoded(let duration): line.add("seconds", duration)
        case .stored(let source, let byteCount):
            line.add("source", source.rawValue)
            line.add("bytes", byteCount)
        case .retried(let attempt, let pause):
            line.add("attempt", attempt)
            line.add("pause", pause)
        case .cancelled(let savedByteCount), .stoppedEarly(let savedByteCount):
            line.add("saved", savedByteCount)
        case .failed(let error): Self.add(error, to: &line)
        case .evicted(let source, let count, let byteCount):
            line.add("source", source.rawValue)
            line.add("count", count)
            line.add("bytes", byteCount)
        case .purged(let source, let byteCount, let reason):
            line.add("source", source.rawValue)
            line.add("bytes", byteCount)
            line.add("reason", reason)
        case .hostAvailability(let isAvailable): line.add("available", isAvailable)
        }
    }

    private static func add(_ error: ImageLoadingError, to line: inout JSONLine) {
        line.add("stage", error.stage.rawValue)
        line.add("class", error.kind.rawValue)
        if let status = error.httpStatus { line.add("status", status) }
        // An invalid URL may contain a password.
        line.add("message", LoadLog.publicReason(of: error))
    }

    /// The reason why a load failed, without the secrets of its URL; nil for other events.
    package var publicFailure: String? {
        guard case .failed(let error) = self else { return nil }
        return LoadLog.publicReason(of: error)
    }
}
