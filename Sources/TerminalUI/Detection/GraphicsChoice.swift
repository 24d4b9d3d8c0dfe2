/// The values of `--pixels`.
package enum PixelChoice: String, Hashable, Sendable, CaseIterable {
    /// The best protocol that the terminal is known to support.
    case auto
    /// kitty's protocol.
    case kitty
    /// iTerm2's protocol.
    case iterm
    /// The sixel protocol.
    case sixel
    /// No pixels: images are drawn with blocks.
    case off
}

/// The available graphics protocols, best first, and the reasons for the choice.
///
/// The choice is based on the terminal's replies first, and then on the name that the terminal
/// reports. Environment variables are not used because a terminal may have inherited them from
/// another terminal. This type has no side effects.
struct GraphicsChoice: Equatable {
    package private(set) var protocols: [GraphicsProtocol] = []
    package private(set) var passesThroughTmux = false
    package private(set) var reasons: [String] = []

    init(_ replies: TerminalReplies, _ surroundings: TerminalSurroundings) {
        let name = replies.name
        if name?.is("tmux") == true {
            offerInsideTmux(replies, surroundings.tmux)
        } else {
            offer(replies)
        }
        take(surroundings.pixels, insideTmux: name?.is("tmux") == true)
        if protocols.isEmpty, reasons.isEmpty { reasons = [Self.nothing(replies)] }
        reasons = reasons.map { "pixels: \($0)" }
    }

    private mutating func add(_ protocol: GraphicsProtocol, _ reason: String) {
        protocols.append(`protocol`)
        reasons.append("\(`protocol`.words): \(reason)")
    }

    private mutating func offer(_ replies: TerminalReplies) {
        let prefersInline = replies.name?.is("iterm2") ?? false
        if prefersInline { offerInline(replies) }
        if replies.accepts(.kittyDirect) {
            if let name = replies.name, Self.hasPlaceholders(name) {
                add(.kittyPlaceholders, "accepted a test image; \(name) supports placeholders")
            } else {
                add(.kitty, "accepted a test image; Unicode placeholder support unknown")
            }
        }
        // mlterm proves its support for sixel with a reply, whereas its support for inline images
        // is inferred only from its name. Sixel is therefore preferred.
        let prefersSixel = replies.name?.is("mlterm") ?? false
        if prefersSixel { offerSixel(replies) }
        if !prefersInline { offerInline(replies) }
        if !prefersSixel { offerSixel(replies) }
    }

    private mutating func offerInline(_ replies: TerminalReplies) {
        if replies.reportedCellSize != nil {
            add(.iterm, "answers an iTerm2 query")
        } else if let name = replies.name, Self.inlineNames.contains(name.name.lowercased()) {
            add(.iterm, "\(name) has them")
        } else if let name = replies.name, name.is("xterm.js"), replies.hasSixel {
            // The image add-on of xterm.js supports both protocols but reports only sixel.
            add(.iterm, "\(name) has them if it has sixel")
        }
    }

    private mutating func offerSixel(_ replies: TerminalReplies) {
        if replies.hasSixel { add(.sixel, "reported in the terminal's capabilities") }
    }

    private mutating func offerInsideTmux(_ replies: TerminalReplies, _ client: TmuxClient?) {
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
        if replies.hasSixel { add(.sixel, "tmux has it") }
        if protocols.isEmpty, reasons.isEmpty {
            reasons = ["none: \(replies.name.map(\.description) ?? "tmux") has no sixel"]
        }
    }

    /// Applies the value of `--pixels`, regardless of the terminal's replies.
    ///
    /// With `auto`, the detected protocols are kept. With `off`, all protocols are removed. With
    /// any other value, they are replaced with the requested protocol.
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

    /// Returns whether a terminal with this name supports Unicode placeholders.
    ///
    /// Terminals do not report whether they support placeholders. Terminals without support print
    /// boxes.
    static func hasPlaceholders(_ name: TerminalName) -> Bool {
        name.is("kitty", atLeast: [0, 28]) || name.is("ghostty") || name.is("rio")
    }

    private static let inlineNames: Set<String> = [
        "iterm2", "konsole", "mintty", "mlterm", "wezterm",
    ]

    private static func nothing(_ replies: TerminalReplies) -> String {
        guard !replies.byQuery.isEmpty else { return "none: the terminal did not answer" }
        return "none: \(replies.name?.description ?? "the terminal") offers none"
    }
}

extension GraphicsProtocol {
    /// The protocol's name in the `doctor` report.
    fileprivate var words: String {
        switch self {
        case .kittyPlaceholders: "kitty graphics with Unicode placeholders"
        case .kitty: "kitty graphics"
        case .iterm: "iTerm2 inline images"
        case .sixel: "sixel"
        }
    }
}
