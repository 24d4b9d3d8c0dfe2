import Decoders
import Glibc
import SystemSupport

/// The result of querying a terminal without opening the gallery.
package struct DetectionResult: Sendable {
    /// The reason why the terminal could not be queried, or nil if it was queried.
    package var problem: String?
    /// The queries in the order in which they were sent.
    package var asked: [TerminalQuery] = []
    package var replies = TerminalReplies()
    /// The capabilities derived from the replies.
    package var detected: TerminalCapabilities

    /// Queries the process's terminal, and waits for the replies.
    ///
    /// This method works even if standard input and output are redirected. It waits up to 2 seconds
    /// for the first reply, and then until the last reply arrives or nothing has arrived for half a
    /// second or twice the round-trip time, whichever is longer. If it runs the `tmux` command, it
    /// waits up to 2 seconds for the command's output. Control-C interrupts the process.
    package static func run(
        _ environment: TerminalEnvironment,
        profile: ScreenProfile,
        pixels: PixelChoice
    ) -> DetectionResult {
        let nothing = TerminalCapabilities(
            TerminalReplies(),
            TerminalSurroundings(profile: profile, pixels: pixels)
        )
        guard let descriptors = try? TerminalDescriptors(), let modes = descriptors.modes else {
            return DetectionResult(problem: "no terminal", detected: nothing)
        }
        // The terminal would stop a background process that changes its modes.
        guard tcgetpgrp(descriptors.input) == getpgrp() else {
            return DetectionResult(
                problem: "the terminal is in use by another process",
                detected: nothing
            )
        }
        let detector = TerminalDetector(
            environment,
            profile: profile,
            pixels: pixels,
            descriptors: descriptors,
            output: TerminalOutput(descriptor: descriptors.frameOutput),
            hasScreen: false
        )
        guard QueryModes.set(modes.unprocessed, before: modes, on: descriptors) else {
            return DetectionResult(problem: "the process is ending", detected: nothing)
        }
        let isInterrupted = conduct(detector, on: descriptors)
        QueryModes.restore()
        // Like the terminal, this interrupts all processes in the pipeline.
        if isInterrupted { kill(0, SIGINT) }
        return DetectionResult(
            asked: detector.asked,
            replies: detector.rounds.collected,
            detected: detector.detected
        )
    }

    /// Sends the queries and waits for the replies, and returns whether the user pressed Control-C.
    private static func conduct(
        _ detector: TerminalDetector,
        on descriptors: TerminalDescriptors
    ) -> Bool {
        var isInterrupted = false
        var decoder = InputDecoder()
        let start = ContinuousClock.now
        var now: Duration { start.duration(to: .now) }
        let (columns, rows) = descriptors.windowSize ?? (80, 24)
        detector.resized(to: ScreenSize(columns: columns, rows: rows))
        detector.painted(now: now)
        while !detector.isSettled, !isInterrupted, let deadline = detector.deadline {
            var sources = [
                pollfd(fd: descriptors.input, events: Int16(POLLIN), revents: 0),
                pollfd(fd: detector.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let timeout = max(.zero, deadline - now).pollMilliseconds
            guard poll(&sources, nfds_t(sources.count), timeout) >= 0 else { break }
            if sources[0].revents != 0 {
                var bytes = [UInt8](repeating: 0, count: 1024)
                let count = read(descriptors.input, &bytes, bytes.count)
                guard count > 0 else { break }
                // Replies never contain this byte, so it is Control-C, even after an Escape byte
                // that the decoder holds back as the possible start of a reply.
                if bytes[..<count].contains(0x03) { isInterrupted = true }
                for byte in bytes[..<count] { _ = decoder.take(.character(UInt32(byte)), now: now) }
            }
            detector.take(decoder.takeReplies(), now: now)
        }
        detector.left()
        // Clears the line in case the terminal printed sequences that it does not support.
        _ = TerminalOutput(descriptor: descriptors.output).write(Array("\r\u{1B}[K".utf8)[...])
        return isInterrupted
    }
}

/// The modes of a terminal that is being queried, which a signal handler can restore.
package enum QueryModes {
    private struct State: Sendable {
        var changed: (input: Int32, before: termios)?
        var isEnding = false
    }

    private static let state = Protected(State())

    /// Sets the modes for a query, and returns false if the process is ending.
    fileprivate static func set(
        _ modes: termios,
        before: termios,
        on descriptors: TerminalDescriptors
    ) -> Bool {
        state.withLock { state in
            guard !state.isEnding else { return false }
            state.changed = (descriptors.input, before)
            descriptors.setModes(modes)
            return true
        }
    }

    /// Restores the modes that the terminal had before the query.
    ///
    /// If `isEnding` is true, later queries do not change the modes. Call this method from the
    /// thread that ends the process after a signal.
    package static func restore(isEnding: Bool = false) {
        state.withLock { state in
            state.isEnding = state.isEnding || isEnding
            guard let changed = state.changed else { return }
            state.changed = nil
            var before = changed.before
            tcsetattr(changed.input, TCSANOW, &before)
        }
    }
}

extension termios {
    /// A copy of these modes for reading replies: unprocessed input, no echo, and Control-C as an
    /// ordinary byte.
    ///
    /// The original modes must be restored afterward.
    fileprivate var unprocessed: termios {
        var modes = self
        modes.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        withUnsafeMutableBytes(of: &modes.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        return modes
    }
}
