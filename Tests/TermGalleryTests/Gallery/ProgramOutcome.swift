import GalleryCore
import ImageLoading

@testable import TermGallery

/// What is left of a gallery program that has ended.
struct ProgramOutcome: Sendable {
    let ending: GalleryProgram.Ending
    let screen: String
    let calls: [String]

    /// Runs the program on a thread of its own until it ends.
    static func of(
        _ manager: ImageManager,
        _ mailbox: Mailbox<GalleryMail>,
        steps: @escaping @Sendable () -> [StagedTerminal.Step]
    ) async throws -> ProgramOutcome {
        try await blocking {
            Result { () throws(TerminalError) in
                let terminal = StagedTerminal(steps: steps())
                let program = try GalleryProgram(
                    terminal: terminal,
                    signals: SignalInbox(),
                    manager: manager,
                    mailbox: mailbox,
                    options: GalleryOptions()
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
