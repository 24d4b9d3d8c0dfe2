import TerminalGraphics

/// Something that a terminal can be asked.
///
/// Pure.
enum TerminalQuestion: String, Hashable, Sendable, CaseIterable {
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

    /// What is asked, in words.
    var title: String {
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

    /// The bytes that ask it; `sharedMemory` is the name of an object with one pixel in it.
    ///
    /// With `hasScreen` a frame is on the screen, a part of which has to be written again.
    func request(sharedMemory: String, hasScreen: Bool = true) -> String {
        switch self {
        case .version: "\u{1B}[>q"
        case .secondaryAttributes: "\u{1B}[>c"
        // A sign and a block of ambiguous width. Not in the first row: the answer would be that of a
        // function key with Shift.
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
        // One at a time: not every terminal takes a list.
        case .rgbCapability: "\u{1B}P+q524742\u{1B}\\"
        case .tcCapability: "\u{1B}P+q5463\u{1B}\\"
        // A colour far from those of the palette: mlterm takes near ones for the same. The style is
        // saved and brought back, for the painters rely on the one that they left.
        case .directColor: "\u{1B}7\u{1B}[48;2;47;115;155m\u{1B}P$qm\u{1B}\\\u{1B}8"
        case .kittyDirect: kitty("t=d", payload: "AAAA")
        // Three bytes of zero in zlib's format.
        case .kittyCompressed: kitty("t=d,o=z", payload: "eAEBAwD8/wAAAAADAAE=")
        case .kittySharedMemory: kitty("t=s,S=3", payload: Base64.encode(sharedMemory))
        case .attributes: "\u{1B}[c"
        }
    }

    /// `a=q` loads the picture of one pixel, answers whether that went well, and forgets it.
    private func kitty(_ medium: String, payload: String) -> String {
        "\u{1B}_Gi=\(kittyID),a=q,s=1,v=1,f=24,\(medium);\(payload)\u{1B}\\"
    }

    /// The row of the screen in which signs are measured, and how many of its columns they may take.
    static let (measuredRow, measuredColumns) = (1, 8)

    /// The picture's number in a question by kitty's protocol, unlike those that others choose.
    var kittyID: Int {
        switch self {
        case .kittyDirect: 72_463_001
        case .kittyCompressed: 72_463_002
        case .kittySharedMemory: 72_463_003
        default: 0
        }
    }
}

/// Which questions a terminal is asked, in two rounds.
///
/// Pure. Control sequences of the usual form are ignored by every terminal that doesn't know them.
/// Strings other than OSC, and sequences with a `$`, are not: Apple's Terminal and urxvt print some
/// of them on the screen. Those wait for the name that modern terminals give, or for sixel.
struct TerminalQuestions: Equatable, Sendable {
    /// To write at once.
    let first: [TerminalQuestion]

    private let environment: TerminalEnvironment
    private let asksColor: Bool

    private static let harmless: [TerminalQuestion] = [
        .version, .secondaryAttributes, .cellSize, .textAreaSize, .background, .foreground,
    ]
    private static let modes: [TerminalQuestion] = [.synchronizedOutput, .graphemeClusters]
    private static let colors: [TerminalQuestion] = [.rgbCapability, .tcCapability, .directColor]
    private static let pictures: [TerminalQuestion] = [
        .reportCellSize, .kittyDirect, .kittyCompressed, .kittySharedMemory,
    ]

    /// The questions for the terminal that the environment names; `asksColor` is false where the
    /// colours are settled.
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
        let signs = environment.isUTF8 ? [TerminalQuestion.signWidth] : []
        first =
            Self.harmless + signs + (isKnown ? Self.strings(asksColor: asksColor) : []) + [
                .attributes
            ]
    }

    /// What is asked once the first answers are there; empty if nothing.
    func second(after answers: TerminalAnswers) -> [TerminalQuestion] {
        // Who has sixel reads strings.
        let name = answers.name?.name.lowercased() ?? (answers.hasSixel ? "sixel" : "")
        guard !first.contains(.kittyDirect), !name.isEmpty,
            !Self.leakyNames.contains(where: name.contains)
        else { return [] }
        // tmux takes strings of these kinds for titles, and GNU screen for its message line.
        guard !["tmux", "screen"].contains(where: name.contains) else {
            return Self.modes + [.attributes]
        }
        return Self.strings(asksColor: asksColor) + [.attributes]
    }

    private static func strings(asksColor: Bool) -> [TerminalQuestion] {
        modes + (asksColor ? colors : []) + pictures
    }

    /// Whether the kind of terminal answers anything; real terminals and consoles don't, or not
    /// without a trace on the screen.
    private static func answers(_ term: String) -> Bool {
        let isNumbered = term.hasPrefix("vt") && term.dropFirst(2).first?.isNumber == true
        return !term.isEmpty && !isNumbered && !silentTerms.contains(where: term.hasPrefix)
    }

    private static let silentTerms = [
        "ansi", "bvterm", "cons", "cygwin", "dumb", "eterm", "hurd", "linux", "mach", "pcansi",
        "sun", "unknown", "wsvt",
    ]
    /// Terminals that take every question, by their own `TERM`.
    private static let knownTerms = [
        "alacritty", "contour", "foot", "ghostty", "rio", "wezterm", "xterm-ghostty",
        "xterm-kitty",
    ]
    private static let leakyNames = ["apple"]

    /// The bytes that ask.
    static func bytes(
        _ questions: [TerminalQuestion],
        sharedMemory: String,
        hasScreen: Bool = true
    ) -> [UInt8] {
        questions.flatMap {
            Array($0.request(sharedMemory: sharedMemory, hasScreen: hasScreen).utf8)
        }
    }
}
