import CPseudoTerminal
import GalleryCore
import Glibc
import Testing
import VirtualTerminal

extension EndToEnd {
    /// A crash at any moment, in any thread, leaves the shell a usable terminal.
    @Suite struct CrashTests {
        private let program = TestProgram()

        private static let signals = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE]

        @Test(arguments: signals, [true, false])
        func `a crash while images are drawn restores the terminal and asks for a report`(
            signal: Int32,
            isMainThread: Bool
        ) throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 200)
            let terminal = try PseudoTerminal(
                "/bin/sh",
                ["-c", "read x; exec \(program.path) --pixels kitty \(folder)"],
                environment: program.environment(colorTerm: "truecolor")
            )
            let before = terminal.modes
            terminal.type("\n")
            try terminal.expect("an image in pixels") { _ in terminal.hasWritten("\u{1B}_Ga=") }
            terminal.type(String(repeating: " ", count: 20))

            let threads = try threads(of: terminal.process)
            let thread = try isMainThread ? terminal.process : #require(threads.last)
            #expect(cpseudoterminal_signal_thread(terminal.process, thread, signal) == 0)

            try terminal.expectEnd(.killed(by: signal))
            #expect(terminal.modes == before)
            #expect(terminal.screen.isRestored)
            #expect(terminal.hasWritten(" crashed (SIG"))
            #expect(terminal.hasWritten("Please report this line"))
        }

        /// The process's threads without the main one, oldest first.
        private func threads(of process: pid_t) throws -> [pid_t] {
            let folder = try #require(opendir("/proc/\(process)/task"))
            defer { closedir(folder) }
            var threads: [pid_t] = []
            while let entry = readdir(folder) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                if let thread = pid_t(name), thread != process { threads.append(thread) }
            }
            return threads.sorted()
        }
    }
}
