import FeedHarness
import GalleryCore
import Glibc
import ImageLoading
@testable import Feeds
@testable import TermGallery
@testable import TerminalUI
import VirtualTerminal

/// A terminal in memory that plays a script.
///
/// When the screen meets the condition of a step, the action of the step is performed, as if a user
/// read the screen and then pressed a key.
///
/// Confined to the program's thread.
final class StagedTerminal: Terminal {
    /// A condition to wait for, and the action that follows.
    struct Step {
        let isDue: (String) -> Bool
        let action: (StagedTerminal) -> Void
    }

    let memory: MemoryTerminal
    private var steps: [Step]
    private(set) var paintCount = 0

    init(size: ScreenSize = ScreenSize(columns: 80, rows: 24), steps: [Step]) {
        memory = MemoryTerminal(size: size)
        self.steps = steps
    }

    var size: ScreenSize { memory.size }
    var capabilities: ScreenCapabilities { memory.capabilities }
    var inputDescriptor: Int32 { memory.inputDescriptor }
    var hasBufferedInput: Bool { memory.hasBufferedInput }
    var text: String { memory.screen.text }

    func type(_ keys: String) { memory.type(keys) }

    func paint(_ frame: Frame) {
        memory.paint(frame)
        paintCount += 1
        guard let step = steps.first, step.isDue(text) else { return }
        steps.removeFirst()
        step.action(self)
    }

    func readInput() -> InputBatch { memory.readInput() }
    func refreshSize() { memory.refreshSize() }
    var backlog: PaintBacklog { memory.backlog }
    var outputDescriptor: Int32 { memory.outputDescriptor }
    func flush() { memory.flush() }
    func invalidate() { memory.invalidate() }
    func dropInput() { memory.dropInput() }
    func suspend() { memory.suspend() }
    func copy(_ text: String) { memory.copy(text) }
    func handOver(_ body: (_ input: Int32, _ output: Int32) -> Void) { memory.handOver(body) }
    func resume() { memory.resume() }
    func restore() { memory.restore() }
}

extension StagedTerminal.Step {
    /// When the screen shows `text`, press `keys`.
    static func see(_ text: String, press keys: String) -> StagedTerminal.Step {
        see(text) { $0.type(keys) }
    }

    /// When the screen shows `text`, do something.
    static func see(
        _ text: String,
        then action: @escaping (StagedTerminal) -> Void
    ) -> StagedTerminal.Step {
        StagedTerminal.Step(isDue: { $0.contains(text) }, action: action)
    }
}

/// The state of a gallery program after its end.
struct ProgramOutcome: Sendable {
    let ending: GalleryProgram.Ending
    let screen: String
    let calls: [String]

    /// Runs the program on a thread of its own until it ends.
    static func of(
        _ manager: ImageManager,
        _ mailbox: Mailbox<GalleryMail>,
        columns: Int = 80,
        steps: @escaping @Sendable () -> [StagedTerminal.Step]
    ) async throws -> ProgramOutcome {
        try await blocking {
            Result { () throws(TerminalError) in
                let size = ScreenSize(columns: columns, rows: 24)
                let terminal = StagedTerminal(size: size, steps: steps())
                let program = try GalleryProgram(
                    terminal: terminal,
                    signals: SignalInbox(),
                    manager: manager,
                    mailbox: mailbox,
                    options: GalleryOptions(settings: GallerySettings(tileWidth: 17))
                )
                let ending = program.run()
                return ProgramOutcome(
                    ending: ending,
                    screen: terminal.text,
                    calls: terminal.memory.calls
                )
            }
        }
        .get()
    }
}
