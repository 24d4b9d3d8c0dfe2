import GalleryCore
import TerminalGraphics

/// What `--pixels` asks for.
enum PixelChoice: String, Hashable, Sendable, CaseIterable {
    /// What the terminal is known to have.
    case auto
    /// kitty's protocol.
    case kitty
    /// iTerm2's.
    case iterm
    /// Sixel.
    case sixel
    /// Blocks.
    case off
}

/// Which ways to send a terminal pixels there are, best first, and why.
///
/// Pure. What the terminal proved counts, then the name that it gives itself. The environment
/// doesn't: it is passed on to terminals that it doesn't speak of.
struct GraphicsChoice: Equatable {
    private(set) var protocols: [GraphicsProtocol] = []
    private(set) var passesThroughTmux = false
    private(set) var reasons: [String] = []

    init(_ answers: TerminalAnswers, _ surroundings: TerminalSurroundings) {
        let name = answers.name
        if name?.is("tmux") == true {
            offerInsideTmux(answers, surroundings.tmux)
        } else {
            offer(answers)
        }
        take(surroundings.pixels, insideTmux: name?.is("tmux") == true)
        if protocols.isEmpty, reasons.isEmpty { reasons = [Self.nothing(answers)] }
        reasons = reasons.map { "pixels: \($0)" }
    }

    /// Adds a protocol, behind those that are there.
    private mutating func add(_ protocol: GraphicsProtocol, _ reason: String) {
        protocols.append(`protocol`)
        reasons.append("\(`protocol`.words): \(reason)")
    }

    private mutating func offer(_ answers: TerminalAnswers) {
        let prefersInline = answers.name?.is("iterm2") ?? false
        if prefersInline { offerInline(answers) }
        if answers.accepts(.kittyDirect) {
            if let name = answers.name, Self.hasPlaceholders(name) {
                add(.kittyPlaceholders, "accepted a test image; \(name) supports placeholders")
            } else {
                add(.kitty, "accepted a test image; Unicode placeholder support unknown")
            }
        }
        // Nothing but its name speaks for inline images in mlterm; for sixel its answer does.
        let prefersSixel = answers.name?.is("mlterm") ?? false
        if prefersSixel { offerSixel(answers) }
        if !prefersInline { offerInline(answers) }
        if !prefersSixel { offerSixel(answers) }
    }

    private mutating func offerInline(_ answers: TerminalAnswers) {
        if answers.reportedCellSize != nil {
            add(.iterm, "answers an iTerm2 query")
        } else if let name = answers.name, Self.inlineNames.contains(name.name.lowercased()) {
            add(.iterm, "\(name) has them")
        } else if let name = answers.name, name.is("xterm.js"), answers.hasSixel {
            // Its add-on for images has both, and only sixel shows in what it answers.
            add(.iterm, "\(name) has them where it has sixel")
        }
    }

    private mutating func offerSixel(_ answers: TerminalAnswers) {
        if answers.hasSixel { add(.sixel, "reported in the terminal's capabilities") }
    }

    private mutating func offerInsideTmux(_ answers: TerminalAnswers, _ client: TmuxClient?) {
        if let client, let outer = client.terminal, Self.hasPlaceholders(outer) {
            if client.passesThrough {
                passesThroughTmux = true
                add(.kittyPlaceholders, "tmux passes them through to \(outer)")
            } else {
                reasons.append(
                    "\(outer) outside tmux supports kitty graphics; enable them with `tmux "
                        + "set -p allow-passthrough on`"
                )
            }
        }
        if answers.hasSixel { add(.sixel, "tmux has it") }
        if protocols.isEmpty, reasons.isEmpty {
            reasons = ["none: \(answers.name.map(\.description) ?? "tmux") has no sixel"]
        }
    }

    /// What was asked for comes first, whatever the terminal says.
    private mutating func take(_ choice: PixelChoice, insideTmux: Bool) {
        let asked: GraphicsProtocol
        switch choice {
        case .auto: return
        case .off:
            (protocols, reasons) = ([], ["off (--pixels)"])
            return
        case .kitty:
            let fallback = insideTmux ? GraphicsProtocol.kittyPlaceholders : .kitty
            asked = protocols.contains(.kittyPlaceholders) ? .kittyPlaceholders : fallback
            passesThroughTmux = insideTmux
        case .iterm: asked = .iterm
        case .sixel: asked = .sixel
        }
        protocols = [asked]
        reasons = ["\(asked.words) (--pixels)"]
    }

    /// Nothing announces placeholders, and who lacks them prints boxes.
    static func hasPlaceholders(_ name: TerminalName) -> Bool {
        name.is("kitty", atLeast: [0, 28]) || name.is("ghostty") || name.is("rio")
    }

    private static let inlineNames: Set<String> = [
        "iterm2", "konsole", "mintty", "mlterm", "wezterm",
    ]

    private static func nothing(_ answers: TerminalAnswers) -> String {
        guard !answers.replies.isEmpty else { return "none: the terminal did not answer" }
        return "none: \(answers.name?.description ?? "the terminal") offers none"
    }
}

extension GraphicsProtocol {
    /// What `doctor` calls it.
    fileprivate var words: String {
        switch self {
        case .kittyPlaceholders: "kitty graphics with Unicode placeholders"
        case .kitty: "kitty graphics"
        case .iterm: "iTerm2 inline images"
        case .sixel: "sixel"
        }
    }
}
