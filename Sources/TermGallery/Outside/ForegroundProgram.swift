import CLinux
import GalleryCore
import Glibc
import ImageLoading

/// A program that has the terminal to itself until it ends, as a shell's does.
///
/// It is in the gallery's own process group: Ctrl-C at the keyboard is for it and not for the gallery,
/// and Ctrl-Z stops both, so that the shell goes on and `fg` continues both. Lives on the UI thread,
/// which waits.
struct ForegroundProgram {
    /// How it ended.
    enum End: Equatable {
        case exited(Int32)
        case killed(Int32)
        /// It could not be started.
        case failed(reason: String)

        /// What a person is told of it; nil if all went well.
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
    /// The terminal's.
    let input: Int32
    let output: Int32
    /// A signal that came meanwhile and ends the gallery too.
    private(set) var deadlySignal: Int32?

    init(signals: SignalInbox, input: Int32, output: Int32) {
        (self.signals, self.input, self.output) = (signals, input, output)
    }

    /// Runs one to its end; `standardInput` is what it reads instead of the keyboard.
    mutating func run(_ words: [String], standardInput: Int32? = nil) -> End {
        let streams = OutsideProgram.Streams(input: standardInput ?? input, output: output)
        switch OutsideProgram.start(words, streams, isDetached: false) {
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
                // Ctrl-Z: the shell has the terminal until it continues both.
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

    /// A signal that came meanwhile and ends the gallery too is kept.
    mutating func takeDeadlySignals() {
        for signal in signals.takeAll() where signal == SIGTERM || signal == SIGHUP {
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

    /// What is to end the gallery ends the program first; what the keyboard sends it has got itself.
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

/// Tells of a child's stops and of its end by a descriptor, so that signals are answered meanwhile.
private final class ChildWatch: Sendable {
    /// An eventfd; readable when there is a status.
    let descriptor = clinux_eventfd()
    private let process: pid_t
    private let statuses = Protected<[Int32]>([])

    init(_ process: pid_t) {
        self.process = process
    }

    deinit {
        close(descriptor)
    }

    /// False if there is no thread for it.
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
