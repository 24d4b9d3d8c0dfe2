/// The keys of one mode: the single source of what a key does and of what the help says.
struct KeyTable: Sendable {
    let title: String
    let bindings: [KeyBinding]
    private let actions: [Key: GalleryAction]

    private init(_ title: String, _ bindings: [KeyBinding]) {
        self.title = title
        self.bindings = bindings
        var actions: [Key: GalleryAction] = [:]
        for binding in bindings {
            for key in binding.keys { actions[key] = binding.action }
        }
        self.actions = actions
    }

    /// What a key does; nil if it is not bound.
    func action(for key: Key) -> GalleryAction? { actions[key] }

    static let grid = KeyTable("Grid", gridBindings + commands)
    static let detail = KeyTable("Picture", detailBindings + commands)

    /// The help's sections: what differs by mode, then what works everywhere.
    static let sections: [(title: String, bindings: [KeyBinding])] = [
        ("Grid", gridBindings), ("Picture", detailBindings), ("Everywhere", commands),
    ]

    private static let gridBindings: [KeyBinding] = [
        KeyBinding([.left, .character("h")], "arrows h j k l", .move(.left), "move"),
        KeyBinding([.down, .character("j")], "", .move(.down)),
        KeyBinding([.up, .character("k")], "", .move(.up)),
        KeyBinding([.right, .character("l")], "", .move(.right)),
        KeyBinding([.pageUp, .control("b")], "PgUp PgDn ^B ^F", .move(.pageUp), "a screen"),
        KeyBinding([.pageDown, .control("f")], "", .move(.pageDown)),
        KeyBinding([.home, .character("g")], "Home End g G", .move(.first), "first, last"),
        KeyBinding([.end, .character("G")], "", .move(.last)),
        KeyBinding([.character(":")], ":N N% N g", .goTo, "go to N, to N percent"),
        KeyBinding([.enter, .character(" ")], "Enter Space", .open, "open the picture"),
        KeyBinding([.character("]")], "[ ]", .largerCells, "smaller, larger cells"),
        KeyBinding([.character("[")], "", .smallerCells),
        KeyBinding("a", .toggleAutoScroll, "scroll by itself"),
        KeyBinding("q", .quit, "quit"),
    ]

    private static let detailBindings: [KeyBinding] = [
        KeyBinding([.character("+"), .character("=")], "+ -", .zoomIn, "zoom"),
        KeyBinding([.character("-")], "", .zoomOut),
        KeyBinding("0", .fit, "whole picture"),
        KeyBinding(
            [.left, .character("h")],
            "arrows h j k l",
            .move(.left),
            "move (whole: prev, next)"
        ),
        KeyBinding([.down, .character("j")], "", .move(.down)),
        KeyBinding([.up, .character("k")], "", .move(.up)),
        KeyBinding([.right, .character("l")], "", .move(.right)),
        KeyBinding(
            [.character("n"), .pageDown, .character(" ")],
            "n p PgDn PgUp",
            .next,
            "next, previous"
        ),
        KeyBinding([.character("p"), .pageUp], "", .previous),
        KeyBinding([.escape, .enter, .character("q")], "Esc Enter q", .close, "back to the grid"),
    ]

    private static let commands: [KeyBinding] = [
        KeyBinding("r", .retry, "try failed ones again"),
        KeyBinding("R", .refresh, "load from the network"),
        KeyBinding("X", .cancelAll, "cancel all loads"),
        KeyBinding("z", .togglePause, "pause loading, go on"),
        KeyBinding("c", .clearMemory, "empty memory cache"),
        KeyBinding("C", .clearDisk, "empty disk cache (asks)"),
        KeyBinding("x", .cleanDisk, "clean the disk cache"),
        KeyBinding("s", .toggleStatistics, "statistics"),
        KeyBinding("b", .nextSymbols, "other symbols for pixels"),
        KeyBinding("?", .toggleHelp, "this help"),
        KeyBinding([.control("l")], "^L", .redraw, "draw the screen again"),
        KeyBinding([.control("z")], "^Z", .suspend, "suspend"),
    ]
}

/// One line of the key table.
struct KeyBinding: Hashable, Sendable {
    /// The keys, any of which will do.
    let keys: [Key]
    /// How the keys are called in the help.
    let label: String
    let action: GalleryAction
    /// What it does, for the help; nil joins the line of the binding before.
    let help: String?

    init(_ keys: [Key], _ label: String, _ action: GalleryAction, _ help: String? = nil) {
        self.keys = keys
        self.label = label
        self.action = action
        self.help = help
    }

    init(_ character: Character, _ action: GalleryAction, _ help: String) {
        self.init([.character(character)], String(character), action, help)
    }
}

/// What a key can ask for.
enum GalleryAction: Hashable, Sendable {
    case move(Movement)
    case open
    case goTo
    case toggleAutoScroll
    case largerCells, smallerCells
    case zoomIn, zoomOut, fit
    case next, previous
    case close
    case retry, refresh
    case clearMemory, clearDisk, cleanDisk
    case cancelAll, togglePause
    case toggleStatistics, nextSymbols, toggleHelp
    case redraw, suspend, quit
}

/// A direction or a distance in the grid, or in an image.
enum Movement: Hashable, Sendable {
    case left, right, up, down
    case pageUp, pageDown
    case first, last
}
