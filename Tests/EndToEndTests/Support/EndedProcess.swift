import CPseudoTerminal
import Glibc

/// Waits for a child without spinning and without blocking for ever.
enum EndedProcess {
    /// The wait status of `process` once it has ended; nil if it still runs at `end`.
    static func reap(_ process: pid_t, before end: ContinuousClock.Instant) -> Int32? {
        let watch = cpseudoterminal_watch(process)
        guard watch >= 0 else { return nil }
        defer { close(watch) }
        var source = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
        var status: Int32 = 0
        guard poll(&source, 1, ContinuousClock.now.millisecondsLeft(until: end)) > 0,
            waitpid(process, &status, 0) == process
        else { return nil }
        return status
    }
}

extension ContinuousClock.Instant {
    /// What `poll` is to wait until `end`; 0 if that is past.
    func millisecondsLeft(until end: ContinuousClock.Instant) -> Int32 {
        let left = duration(to: end).components
        let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
        return Int32(clamping: max(0, milliseconds))
    }
}
