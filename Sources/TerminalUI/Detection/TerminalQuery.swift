internal import Decoders

/// A query that the program can send to a terminal.
///
/// This type has no side effects.
package enum TerminalQuery: String, Hashable, Sendable, CaseIterable {
    case version = "XTVERSION"
    case secondaryAttributes = "DA2"
    case signWidth = "CPR"
    case cellSize = "CSI 16 t"
    case textAreaSize = "CSI 14 t"
    case background = "OSC 11"
    case foreground = "OSC 10"
    case synchronizedOutput = "mode 2026"
    case graphemeClusters = "mode 2027"
    case reportCellSize = "OSC 1337 ReportCellSize"
    case rgbCapability = "XTGETTCAP RGB"
    case tcCapability = "XTGETTCAP Tc"
    case directColor = "DECRQSS SGR"
    case kittyDirect = "kitty direct data"
    case kittyCompressed = "kitty compressed data"
    case kittySharedMemory = "kitty shared memory"
    case attributes = "DA1"

    /// A description of the requested information, such as "the background color".
    package var title: String {
        switch self {
        case .version: "its name and version"
        case .secondaryAttributes: "device attributes"
        case .signWidth: "the cursor position after two symbols"
        case .cellSize: "the size of a cell in pixels"
        case .textAreaSize: "the size of the text area in pixels"
        case .background: "the background color"
        case .foreground: "the text color"
        case .synchronizedOutput: "synchronized output"
        case .graphemeClusters: "grapheme clusters"
        case .reportCellSize: "the size of a cell (iTerm2)"
        case .rgbCapability, .tcCapability: "24-bit color support"
        case .directColor: "the color it used for a 24-bit color"
        case .kittyDirect: "a kitty test image"
        case .kittyCompressed: "a compressed kitty test image"
        case .kittySharedMemory: "a kitty test image in shared memory"
        case .attributes: "capabilities"
        }
    }

    /// Returns the control sequence that sends the query.
    ///
    /// `sharedMemory` is the name of a shared memory object that contains one pixel. If `hasScreen`
    /// is true, the `signWidth` query overwrites a part of the frame, which must then be written
    /// again.
    package func request(sharedMemory: String, hasScreen: Bool = true) -> String {
        switch self {
        case .version: "\u{1B}[>q"
        case .secondaryAttributes: "\u{1B}[>c"
        // Prints a symbol and a block, both of ambiguous width. They are not printed in the first
        // row because the reply would then look like a function key with Shift.
        case .signWidth:
            hasScreen
                ? "\u{1B}7\u{1B}[\(Self.measuredRow + 1)H·▄\u{1B}[6n\u{1B}8"
                : "\r·▄\u{1B}[6n\r\u{1B}[K"
        case .cellSize: "\u{1B}[16t"
        case .textAreaSize: "\u{1B}[14t"
        case .background: "\u{1B}]11;?\u{1B}\\"
        case .foreground: "\u{1B}]10;?\u{1B}\\"
        case .synchronizedOutput: "\u{1B}[?2026$p"
        case .graphemeClusters: "\u{1B}[?2027$p"
        case .reportCellSize: "\u{1B}]1337;ReportCellSize\u{7}"
        // Requests one capability at a time because some terminals don't accept a list.
        case .rgbCapability: "\u{1B}P+q524742\u{1B}\\"
        case .tcCapability: "\u{1B}P+q5463\u{1B}\\"
        // Sets a color that differs from all palette colors, because mlterm treats similar colors
        // as equal. The style is saved and restored because the painters rely on the last style
        // that they set.
        case .directColor: "\u{1B}7\u{1B}[48;2;47;115;155m\u{1B}P$qm\u{1B}\\\u{1B}8"
        case .kittyDirect: kitty("t=d", payload: "AAAA")
        // Three zero bytes, compressed with zlib.
        case .kittyCompressed: kitty("t=d,o=z", payload: "eAEBAwD8/wAAAAADAAE=")
        case .kittySharedMemory: kitty("t=s,S=3", payload: Base64.encode(sharedMemory))
        case .attributes: "\u{1B}[c"
        }
    }

    /// Returns a query that contains a test image of one pixel.
    ///
    /// `a=q` loads the image, reports whether this succeeded, and discards the image.
    private func kitty(_ medium: String, payload: String) -> String {
        "\u{1B}_Gi=\(kittyID),a=q,s=1,v=1,f=24,\(medium);\(payload)\u{1B}\\"
    }

    /// The row of the screen in which symbols are measured, and the number of columns that must be
    /// written again.
    package static let (measuredRow, measuredColumns) = (1, 8)

    /// The image number used in queries with kitty's protocol.
    ///
    /// It was chosen to differ from the numbers used by other programs.
    package var kittyID: Int {
        switch self {
        case .kittyDirect: 72_463_001
        case .kittyCompressed: 72_463_002
        case .kittySharedMemory: 72_463_003
        default: 0
        }
    }
}

/// The queries for a terminal, in two groups.
///
/// This type has no side effects. Every terminal ignores unknown control sequences of the usual
/// form. Some terminals do not ignore strings other than OSC, or sequences with a `$`: Apple's
/// Terminal and urxvt print some of them on the screen. Such queries are in the first group only if
/// `TERM` names a terminal that accepts every query. Otherwise, they are sent after the terminal
/// has reported sixel support or a name, as modern terminals do.
struct TerminalQueries: Equatable, Sendable {
    /// The first group of queries, sent at the start of a round.
    package let first: [TerminalQuery]

    private let environment: TerminalEnvironment
    private let asksColor: Bool

    private static let harmless: [TerminalQuery] = [
        .version, .secondaryAttributes, .cellSize, .textAreaSize, .background, .foreground,
    ]
    private static let modes: [TerminalQuery] = [.synchronizedOutput, .graphemeClusters]
    private static let colors: [TerminalQuery] = [.rgbCapability, .tcCapability, .directColor]
    private static let pictures: [TerminalQuery] = [
        .reportCellSize, .kittyDirect, .kittyCompressed, .kittySharedMemory,
    ]

    /// Creates the queries for a terminal.
    ///
    /// `environment` contains the terminal's name. `asksColor` is false if the color depth is
    /// already known.
    init(_ environment: TerminalEnvironment, asksColor: Bool = true) {
        self.environment = environment
        self.asksColor = asksColor
        guard Self.answers(environment.term) else {
            first = []
            return
        }
        let isKnown =
            !environment.isInsideMultiplexer
            && Self.knownTerms.contains(where: environment.term.hasPrefix)
        let signs = environment.isUTF8 ? [TerminalQuery.signWidth] : []
        first =
            Self.harmless + signs + (isKnown ? Self.strings(asksColor: asksColor) : []) + [
                .attributes
            ]
    }

    /// Returns the second group of queries, which may be empty.
    ///
    /// It depends on the replies to the first group.
    package func second(after replies: TerminalReplies) -> [TerminalQuery] {
        // Terminals that support sixel also parse strings.
        let name = replies.name?.name.lowercased() ?? (replies.hasSixel ? "sixel" : "")
        guard !first.contains(.kittyDirect), !name.isEmpty,
            !Self.leakyNames.contains(where: name.contains)
        else { return [] }
        // tmux shows such strings as titles, and GNU screen shows them in its message line.
        guard !["tmux", "screen"].contains(where: name.contains) else {
            return Self.modes + [.attributes]
        }
        return Self.strings(asksColor: asksColor) + [.attributes]
    }

    private static func strings(asksColor: Bool) -> [TerminalQuery] {
        modes + (asksColor ? colors : []) + pictures
    }

    /// Returns whether a terminal with this `TERM` value should be queried.
    ///
    /// Hardware terminals and consoles do not respond, or the queries leave traces on their
    /// screens.
    private static func answers(_ term: String) -> Bool {
        let isNumbered = term.hasPrefix("vt") && term.dropFirst(2).first?.isNumber == true
        return !term.isEmpty && !isNumbered && !silentTerms.contains(where: term.hasPrefix)
    }

    private static let silentTerms = [
        "ansi", "bvterm", "cons", "cygwin", "dumb", "eterm", "hurd", "linux", "mach", "pcansi",
        "sun", "unknown", "wsvt",
    ]
    /// The `TERM` values of terminals that accept every query.
    private static let knownTerms = [
        "alacritty", "contour", "foot", "ghostty", "rio", "wezterm", "xterm-ghostty",
        "xterm-kitty",
    ]
    private static let leakyNames = ["apple"]
}
