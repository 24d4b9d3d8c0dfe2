import Decoders
import GalleryCore
import Glibc

/// What a terminal answers when it is asked without a gallery on it.
struct TerminalExamination: Sendable {
    /// Why the terminal could not be asked; nil if it was.
    var problem: String?
    /// What was asked, in this order.
    var asked: [TerminalQuestion] = []
    /// What it answered.
    var answers = TerminalAnswers()
    /// What follows from it.
    var findings: TerminalFindings

    /// Asks the process's terminal, wherever standard input and output lead, and waits for the
    /// answers: until the last, or until nothing has come for half a second.
    static func run(
        _ environment: TerminalEnvironment,
        profile: ScreenProfile,
        pixels: PixelChoice
    ) -> TerminalExamination {
        let nothing = TerminalFindings(
            TerminalAnswers(),
            TerminalSurroundings(profile: profile, pixels: pixels)
        )
        guard let descriptors = try? TerminalDescriptors(), let modes = descriptors.modes else {
            return TerminalExamination(problem: "no terminal", findings: nothing)
        }
        // The terminal would stop a process that changes its modes from the background.
        guard tcgetpgrp(descriptors.input) == getpgrp() else {
            return TerminalExamination(
                problem: "the terminal is in use by another process",
                findings: nothing
            )
        }
        let interview = TerminalInterview(
            environment,
            profile: profile,
            pixels: pixels,
            descriptors: descriptors,
            output: TerminalOutput(descriptor: descriptors.frameOutput),
            hasScreen: false
        )
        descriptors.setModes(modes.unprocessed)
        defer { descriptors.setModes(modes) }
        conduct(interview, on: descriptors)
        return TerminalExamination(
            asked: interview.asked,
            answers: interview.inquiry.collected,
            findings: interview.findings
        )
    }

    private static func conduct(
        _ interview: TerminalInterview,
        on descriptors: TerminalDescriptors
    ) {
        var decoder = InputDecoder()
        let start = ContinuousClock.now
        var now: Duration { start.duration(to: .now) }
        let (columns, rows) = descriptors.windowSize ?? (80, 24)
        interview.resized(to: ScreenSize(columns: columns, rows: rows))
        interview.painted(now: now)
        while !interview.isSettled, let deadline = interview.deadline {
            var sources = [
                pollfd(fd: descriptors.input, events: Int16(POLLIN), revents: 0),
                pollfd(fd: interview.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let timeout = max(.zero, deadline - now).pollMilliseconds
            guard poll(&sources, nfds_t(sources.count), timeout) >= 0 else { break }
            if sources[0].revents != 0 {
                var bytes = [UInt8](repeating: 0, count: 1024)
                let count = read(descriptors.input, &bytes, bytes.count)
                guard count > 0 else { break }
                for byte in bytes[..<count] {
                    _ = decoder.take(.character(UInt32(byte)), now: now)
                }
            }
            interview.take(decoder.takeReplies(), now: now)
        }
        interview.left()
        // In case the terminal printed what it didn't know.
        _ = TerminalOutput(descriptor: descriptors.output).write(Array("\r\u{1B}[K".utf8)[...])
    }
}

extension termios {
    /// Bytes as they come, without echo, and Ctrl-C as one of them: the modes must be put back.
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
