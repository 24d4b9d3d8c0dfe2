import CLinux
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport
import TerminalUI

/// A program that controls the terminal until it ends, like a command in a shell.
///
/// The program runs in the gallery's process group. Control-C affects only the program, not the
/// gallery. Control-Z stops both and returns to the shell, and `fg` resumes both. Use this type on
/// the UI thread, which waits for the program.
struct ForegroundProgram {
    /// How a program ended.
    enum End: Equatable {
        case exited(Int32)
        case killed(Int32)
        /// The program could not be started.
        case failed(reason: String)

        /// A message for the user, or nil on success.
        var text: String? {
            switch self {
            case .exited(0): nil
            case .exited(let code): "exited with status \(code)"
            case .killed(let signal): "was terminated by signal \(signal)"
            case .failed(let reason): reason
            }
        }
    }

    let signals: SignalInbox
    /// The descriptors of the terminal.
    let input: Int32
    let output: Int32
    /// A signal that arrived while the program was running and must also end the gallery, or nil.
    private(set) var deadlySignal: Int32?

    init(signals: SignalInbox, input: Int32, output: Int32) {
        (self.signals, self.input, self.output) = (signals, input, output)
    }

    /// Runs a program until it ends.
    ///
    /// If `standardInput` is not nil, the program reads it instead of the keyboard.
    mutating func run(_ words: [String], standardInput: Int32? = nil) -> End {
        let streams = ExternalProgram.Streams(input: standardInput ?? input, output: output)
        switch ExternalProgram.start(words, streams, isDetached: false) {
        case .failure(let error): return .failed(reason: "\(words[0]): \(error.reason)")
        case .success(let process): return wait(for: process)
        }
    }

    private mutating func wait(for process: pid_t) -> End {
        let watch = ChildWatch(process)
        guard watch.start() else { return Self.end(of: process) }
        while true {
            waitForEither(watch.descriptor)
            forwardSignals(to: process)
            for status in watch.take() {
                guard status & 0xFF == 0x7F else { return End(status) }
                // After Control-Z, the shell controls the terminal until it continues both
                // processes.
                SignalInbox.stop()
                kill(process, SIGCONT)
            }
        }
    }

    private static func end(of process: pid_t) -> End {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return End(status)
    }

    /// Removes all received signals, and stores any `deadly` signal in `deadlySignal`.
    mutating func takeDeadlySignals(_ deadly: [Int32] = [SIGTERM, SIGHUP]) {
        for signal in signals.takeAll() where deadly.contains(signal) {
            deadlySignal = signal
        }
    }

    func waitForEither(_ descriptor: Int32) {
        var sources = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&sources, nfds_t(sources.count), -1)
    }

    /// Forwards the signals that end the gallery to the program, so the program ends first.
    ///
    /// Signals from the keyboard reach the program directly.
    private mutating func forwardSignals(to process: pid_t) {
        for signal in signals.takeAll() where signal == SIGTERM || signal == SIGHUP {
            deadlySignal = signal
            kill(process, signal)
        }
    }
}

extension ForegroundProgram.End {
    fileprivate init(_ status: Int32) {
        self = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(status & 0x7F)
    }
}

/// Reports through a descriptor when a child process stops or ends.
///
/// The gallery can wait for the descriptor and handle signals at the same time.
private final class ChildWatch: Sendable {
    /// An eventfd that becomes readable when a status of the child process is available.
    let descriptor = clinux_eventfd()
    private let process: pid_t
    private let statuses = Protected<[Int32]>([])

    init(_ process: pid_t) {
        self.process = process
    }

    deinit {
        close(descriptor)
    }

    /// Starts watching, and returns false if no thread can be started.
    func start() -> Bool {
        guard descriptor >= 0 else { return false }
        return POSIXThread.startDetached(name: "child") { [self] in
            while true {
                var status: Int32 = 0
                guard waitpid(process, &status, WUNTRACED) == process else {
                    if errno == EINTR { continue }
                    return tell(0)
                }
                tell(status)
                guard status & 0xFF == 0x7F else { return }
            }
        }
    }

    func take() -> [Int32] {
        _ = clinux_take(descriptor)
        return statuses.withLock { statuses in
            defer { statuses = [] }
            return statuses
        }
    }

    private func tell(_ status: Int32) {
        statuses.withLock { $0.append(status) }
        clinux_eventfd_signal(descriptor)
    }
}
