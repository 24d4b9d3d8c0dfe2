import Glibc
@testable import TerminalUI
import SystemSupport
import Testing
import VirtualTerminal

/// Signals are sent to the test's own thread, which reads them from its own descriptor; no
/// other test sees them.
@Suite struct EventLoopTests {
    private struct Fixture {
        let terminal = MemoryTerminal()
        let mailbox: Mailbox<String>
        let loop: EventLoop<String>

        init() throws {
            mailbox = try Mailbox()
            loop = try EventLoop(terminal: terminal, signals: SignalInbox(), mailbox: mailbox)
        }

        /// Runs until an event's text is `last`; the events' texts, and "draw" for each drawing.
        func run(
            until last: String,
            onEvent: (Event<String>) -> Void = { _ in },
            draw: () -> Void = {}
        ) -> [String] {
            var log: [String] = []
            loop.run { event in
                log.append(event.text)
                onEvent(event)
                return event.text == last ? .leave : .proceed
            } draw: {
                log.append("draw")
                draw()
            }
            return log
        }
    }

    @Test func `all waiting events are delivered in order and drawn once`() throws {
        let fixture = try Fixture()
        fixture.terminal.type("ab")
        fixture.mailbox.post("one")
        fixture.mailbox.post("two")
        pthread_kill(pthread_self(), SIGTERM)

        let log = fixture.run(until: "mail end") { event in
            if event.text == "mail two" { fixture.mailbox.post("end") }
        }

        #expect(
            log == [
                "signal terminate", "key a", "key b", "mail one", "mail two", "draw", "mail end",
            ]
        )
    }

    @Test(arguments: [(SIGINT, "interrupt"), (SIGTSTP, "suspend"), (SIGQUIT, "quit")])
    func `keys typed before Ctrl-C, Ctrl-Z and Ctrl-backslash are dropped, as the kernel does`(
        signal: Int32,
        name: String
    ) throws {
        let fixture = try Fixture()
        fixture.terminal.type("ab")
        fixture.mailbox.post("end")
        pthread_kill(pthread_self(), signal)

        #expect(fixture.run(until: "mail end") == ["signal \(name)", "mail end"])
    }

    @Test
    func `buffered bytes are written when the terminal accepts them, then the screen is drawn`()
        throws
    {
        let fixture = try Fixture()
        var pipe: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&pipe) == 0)
        defer { for descriptor in pipe { close(descriptor) } }
        fixture.terminal.backlog = .bytes
        fixture.terminal.outputDescriptor = pipe[1]

        let log = fixture.run(until: "mail end") { _ in
        } draw: {
            fixture.mailbox.post("end")
        }

        #expect(fixture.terminal.calls == ["flush"])
        #expect(log == ["draw", "mail end"])
    }

    @Test func `mail from another thread wakes the loop`() throws {
        let fixture = try Fixture()
        let mailbox = fixture.mailbox
        let sender = OwnThread { mailbox.post("done") }

        #expect(fixture.run(until: "mail done") == ["mail done"])
        sender.join()
    }

    @Test func `the end of input ends the loop instead of spinning`() throws {
        let fixture = try Fixture()
        fixture.terminal.type("x")
        fixture.terminal.hangUp()

        #expect(fixture.run(until: "never") == ["key x", "draw", "closed"])
    }

    @Test func `a window that changed and changed back is drawn whole`() throws {
        let fixture = try Fixture()
        pthread_kill(pthread_self(), SIGWINCH)
        var log: [String] = []

        fixture.loop.run { event in
            log.append(event.text)
            return event.text == "key q" ? .leave : .proceed
        } draw: {
            log.append("draw, whole: \(fixture.terminal.isInvalid)")
            fixture.terminal.type("q")
        }

        #expect(log == ["draw, whole: true", "key q"])
    }

    @Test func `several size changes are one event, and only a real change counts`() throws {
        let fixture = try Fixture()
        fixture.terminal.windowSize = ScreenSize(columns: 100, rows: 31)
        pthread_kill(pthread_self(), SIGWINCH)

        let log = fixture.run(until: "key q") { event in
            if event.text == "resize 100x31" {
                pthread_kill(pthread_self(), SIGWINCH)
                fixture.terminal.type("q")
            }
        }

        #expect(log == ["resize 100x31", "draw", "key q"])
    }

    @Test func `a size that changed while the process was stopped is reported`() throws {
        let fixture = try Fixture()
        fixture.terminal.type("z")

        let log = fixture.run(until: "resize 40x12") { event in
            guard event.text == "key z" else { return }
            fixture.terminal.windowSize = ScreenSize(columns: 40, rows: 12)
            fixture.terminal.suspend()
        }

        #expect(log == ["key z", "resize 40x12"])
    }

    @Test func `the terminal's own properties are reported once, after its size`() throws {
        let fixture = try Fixture()
        fixture.terminal.type("a")

        let log = fixture.run(until: "key q") { event in
            guard event.text == "key a" else { return }
            fixture.terminal.detected.takesSharedMemory = true
            fixture.terminal.windowSize = ScreenSize(columns: 40, rows: 12)
            fixture.terminal.refreshSize()
            fixture.terminal.type("q")
        }

        #expect(log == ["key a", "resize 40x12", "capabilities", "draw", "key q"])
    }

    @Test func `a terminal with a pending deadline is asked again without input`() throws {
        let fixture = try Fixture()
        fixture.terminal.inputTimeout = .zero
        fixture.terminal.eventsAfterTimeout = [.key(.escape)]

        #expect(fixture.run(until: "key escape") == ["key escape"])
    }

    @Test(
        arguments: [
            (.zero, 0), (.nanoseconds(1), 1), (.milliseconds(100), 100), (.microseconds(1001), 2),
            (.seconds(-5), 0), (.seconds(10_000_000), .max),
            (.seconds(Int64.max), .max), (.seconds(Int64.min), 0),
        ] as [(Duration, Int32)]
    )
    func `a timeout is rounded up to milliseconds`(time: Duration, milliseconds: Int32) {
        #expect(time.pollMilliseconds == milliseconds)
    }

    @Test func `ticks are delivered only while requested`() throws {
        let fixture = try Fixture()
        fixture.loop.tickInterval = .milliseconds(1)

        let log = fixture.run(until: "key q") { event in
            guard case .tick = event else { return }
            fixture.loop.tickInterval = nil
            fixture.terminal.type("q")
        }

        #expect(log == ["tick", "draw", "key q"])
    }

    @Test(arguments: [
        (SIGINT, SignalEvent.interrupt), (SIGTERM, .terminate), (SIGHUP, .hangup),
        (SIGQUIT, .quit),
    ])
    func `signals become events`(number: Int32, event: SignalEvent) throws {
        let fixture = try Fixture()
        pthread_kill(pthread_self(), number)

        #expect(fixture.run(until: "signal \(event)") == ["signal \(event)"])
        #expect(event.deadlySignal == number)
    }

    /// Not raised here: SIGCONT takes back the stop signals that wait for any thread of the process,
    /// so that only one test may raise the two (in `GalleryProgramTests`).
    @Test func `a stop and a start do not end the loop`() {
        #expect(SignalEvent(signal: SIGTSTP) == .suspend)
        #expect(SignalEvent(signal: SIGCONT) == .resumed)
        #expect(SignalEvent.suspend.deadlySignal == nil)
        #expect(SignalEvent.resumed.deadlySignal == nil)
    }
}

extension Event where Mail == String {
    fileprivate var text: String {
        switch self {
        case .input(.key(.character(let character))): "key \(character)"
        case .input(.key(let key)): "key \(key)"
        case .input(.mouse(let mouse)): "mouse \(mouse)"
        case .input(.paste(let text)): "paste \(text)"
        case .resize(let size): "resize \(size.columns)x\(size.rows)"
        case .detectionChanged: "capabilities"
        case .signal(let signal): "signal \(signal)"
        case .mail(let mail): "mail \(mail)"
        case .tick: "tick"
        case .inputClosed: "closed"
        }
    }
}

@Suite struct MailboxTests {
    private func isReadable(_ descriptor: Int32) -> Bool {
        var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&source, 1, 0) == 1
    }

    @Test func `mail is delivered in the order in which it was posted`() throws {
        let box = try Mailbox<Int>()
        for number in 0..<100 { box.post(number) }

        #expect(box.takeAll() == Array(0..<100))
        #expect(box.takeAll().isEmpty)
    }

    @Test func `the descriptor is readable exactly while mail waits`() throws {
        let box = try Mailbox<String>()
        #expect(!isReadable(box.descriptor))

        box.post("one")
        box.post("two")
        #expect(isReadable(box.descriptor))

        _ = box.takeAll()
        #expect(!isReadable(box.descriptor))

        box.post("three")
        #expect(isReadable(box.descriptor))
    }

    @Test func `no message of several threads is lost and each wakes a sleeping loop`() async throws
    {
        let box = try Mailbox<Int>()
        let taken = try await withThrowingTaskGroup(of: Void.self) { group in
            for sender in 0..<4 {
                group.addTask { for number in 0..<1000 { box.post(sender * 1000 + number) } }
            }
            try await group.waitForAll()
            var taken: [Int] = []
            while isReadable(box.descriptor) { taken += box.takeAll() }
            return taken
        }

        #expect(taken.sorted() == Array(0..<4000))
        for sender in 0..<4 {
            let own = taken.filter { $0 / 1000 == sender }
            #expect(own == own.sorted())
        }
    }
}
