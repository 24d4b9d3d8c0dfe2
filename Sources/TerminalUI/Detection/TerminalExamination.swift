import Decoders
import Glibc
import SystemSupport

/// The result of querying a terminal without opening the gallery.
package struct TerminalExamination: Sendable {
    /// The reason why the terminal could not be asked, or nil if it was asked.
    package var problem: String?
    /// The questions, in the order in which they were asked.
    package var asked: [TerminalQuestion] = []
    /// The terminal's answers.
    package var answers = TerminalAnswers()
    /// The conclusions from the answers.
    package var findings: TerminalFindings

    /// Queries the process's terminal and waits for the answers.
    ///
    /// The function works even if standard input and output are redirected. It waits until the last
    /// answer has arrived, or until nothing has arrived for half a second.
    package static func run(
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
        // The terminal would stop a background process that changes its modes.
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
        // Clears the line in case the terminal printed unknown sequences.
        _ = TerminalOutput(descriptor: descriptors.output).write(Array("\r\u{1B}[K".utf8)[...])
    }
}

extension termios {
    /// A copy of these modes with unprocessed input, without echo, and with Ctrl-C as a normal
    /// byte.
    ///
    /// The original modes must be restored afterwards.
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
