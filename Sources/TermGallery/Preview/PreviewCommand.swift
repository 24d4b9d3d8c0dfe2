import ArgumentParser
import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport
import TerminalUI

/// The `termgallery preview` command, which draws one image in a box for another program.
struct PreviewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract: "Draw one image into a box of the screen, for fzf, lf and other programs.",
        discussion: """
            Draws an image, or a small sheet of the images in a folder, an archive or a feed. Without \
            --place, the size is taken from FZF_PREVIEW_COLUMNS and FZF_PREVIEW_LINES, from COLUMNS \
            and LINES, or from the terminal, and the preview is printed as lines. The terminal is \
            asked at most once; its answers are stored for the session. If there is no image, the \
            reason is drawn in the box.
            """
    ).withoutCompletions

    @Argument(
        help: ArgumentHelp("An image, a folder, an archive, a feed, or an http(s) URL."),
        completion: .file()
    )
    var file: String?

    @Option(
        help: ArgumentHelp(
            "Draw at this position of the screen: columns x rows @ column x row, counted from 0.",
            valueName: "WxH@XxY"
        )
    )
    var place: String?

    @Flag(inversion: .prefixedNo, help: "Show the name of the image below it.")
    var caption = true

    @Flag(help: "Remove the preview that was drawn with --place in this terminal.")
    var clear = false

    @OptionGroup(title: "Display") var screen: ScreenArguments
    @OptionGroup(title: "Loading") var loading: LoadingArguments

    func validate() throws {
        guard place.map({ PlaceArgument.rect($0) != nil }) ?? true else {
            throw ValidationError(
                "--place takes a size of at least 1x1 and a position, such as 40x20@60x2."
            )
        }
        guard clear != (file != nil) else {
            throw ValidationError(
                clear ? "--clear takes no file." : "Name a file, a folder or a URL to preview."
            )
        }
    }

    func run() throws {
        // Messages would be drawn outside or over the box. fzf would show them in its window.
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        if null >= 0 { dup2(null, STDERR_FILENO) }
        close(null)
        let memory = TerminalMemory()
        guard
            let box = PreviewBox(
                place: place.flatMap(PlaceArgument.rect) ?? (clear ? memory.drawn : nil),
                variable: TerminalEnvironment.variable,
                screen: memory.terminal?.screen,
                isTerminal: isatty(STDOUT_FILENO) == 1
            )
        else { return }
        if clear { return try clearBox(box, memory) }
        try draw(file ?? "", in: box, memory)
    }

    private func clearBox(_ box: PreviewBox, _ memory: TerminalMemory) throws {
        guard case .place(let rect) = box else { return }
        memory.remember(box: nil)
        try write(writer(profile(for: box, memory), memory).clearing(rect))
    }

    private func draw(_ file: String, in box: PreviewBox, _ memory: TerminalMemory) throws {
        // On another program's screen, a signal must not show the cursor or reset the colors.
        if case .terminal = box { try InterruptGuard.start() }
        let profile = profile(for: box, memory)
        let box = box.fitted(for: profile.pictures?.graphics, on: memory.terminal?.screen)
        let manager = try loading.makeManager()
        let run = PreviewRun(
            manager: manager,
            size: box.size,
            capabilities: profile.capabilities,
            hasCaption: caption
        )
        let (frame, status) = run.frame(of: file)
        switch box {
        case .place(let rect):
            memory.remember(box: rect)
            try write(writer(profile, memory).bytes(of: frame, in: rect))
        case .lines:
            try write(writer(profile, memory).lines(of: frame))
        case .terminal:
            var pictures = profile.pictures
            try write(pictures?.bytes(of: frame) ?? FrameLines.bytes(of: frame))
        }
        waitFor { await manager.flush() }
        manager.endHelpers()
        guard status == .success else { throw ProgramFailure(status) }
    }

    /// Returns the capabilities of the terminal.
    ///
    /// The terminal is queried only if no other program reads its input.
    private func profile(for box: PreviewBox, _ memory: TerminalMemory) -> OutputProfile {
        let known = memory.replies
        if known == nil, case .terminal = box, isatty(STDIN_FILENO) == 1 {
            let profile = OutputProfile(screen.overrides)
            memory.remember(profile.replies)
            return profile
        }
        return OutputProfile(
            screen.overrides,
            known: known ?? TerminalReplies(assumedFrom: TerminalEnvironment.variable),
            of: memory.terminal,
            protocols: box.protocols(for: screen.overrides.pixels)
        )
    }

    private func writer(_ profile: OutputProfile, _ memory: TerminalMemory) -> PictureBox {
        PictureBox(pictures: profile.pictures, firstID: memory.firstID)
    }

    private func write(_ bytes: [UInt8]) throws {
        var output = ResultOutput()
        output.write(bytes)
        try output.check()
    }
}
