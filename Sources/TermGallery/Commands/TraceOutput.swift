import ImageLoading

/// The file that `--trace` names.
enum TraceOutput {
    /// Creates it; returns where events go.
    ///
    /// It is completed before the process ends, and then what is missing in it is said.
    static func open(
        _ path: String
    ) throws(ProgramFailure) -> @Sendable (TraceEvent) -> Void {
        do throws(TraceFileError) {
            let writer = try TraceWriter(path: path)
            ExitDuties.add { complaint(about: writer.finish()).map(printError) }
            return { writer.record($0) }
        } catch {
            throw ProgramFailure(.systemFailure, error.description)
        }
    }

    /// Nil if the trace is whole.
    static func complaint(about summary: TraceSummary) -> String? {
        guard summary.droppedCount > 0 || summary.failure != nil else { return nil }
        let reason = summary.failure.map { ": \($0)" } ?? ""
        return "termgallery: the trace lacks \(summary.droppedCount) events\(reason)"
    }
}
