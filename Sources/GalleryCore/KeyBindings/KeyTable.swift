internal import Feeds
import TerminalUI

/// The keys of the grid or the image view.
///
/// The table determines both the actions of the keys and the help text.
struct KeyTable: Sendable {
    let bindings: [KeyBinding]
    private let actions: [Key: GalleryAction]

    init(_ bindings: [KeyBinding]) {
        self.bindings = bindings
        var actions: [Key: GalleryAction] = [:]
        for binding in bindings {
            for key in binding.keys { actions[key] = binding.action }
        }
        self.actions = actions
    }

    /// Returns the action of a key, or nil if the key has no action.
    func action(for key: Key) -> GalleryAction? { actions[key] }

    static let grid = KeyTable(
        move + find + arrange + look + news + choose + figures + load + caches + quit + program
    )
    static let detail = KeyTable(
        openPicture + find + news + choose + figures + load + caches + program
    )

    /// All key bindings without duplicates, in the groups shown in the help.
    static let groups = [
        KeyGroup("Move", move + find + arrange),
        KeyGroup("Look", look + figures),
        KeyGroup("In an open image", openPicture), KeyGroup("Choose", choose),
        KeyGroup("Load", load + news),
        KeyGroup("Caches", caches), KeyGroup("Program", quit + program),
    ]

    private static let move: [KeyBinding] = [
        KeyBinding([.left, .character("h")], "arrows  h j k l", .move(.left), "one image"),
        KeyBinding([.down, .character("j")], "", .move(.down)),
        KeyBinding([.up, .character("k")], "", .move(.up)),
        KeyBinding([.right, .character("l")], "", .move(.right)),
        KeyBinding([.pageUp, .control("b")], "PgUp PgDn  ^B ^F", .move(.pageUp), "a screen"),
        KeyBinding([.pageDown, .control("f")], "", .move(.pageDown)),
        KeyBinding([.control("u")], "^U ^D", .move(.halfUp), "half a screen"),
        KeyBinding([.control("d")], "", .move(.halfDown)),
        KeyBinding([.home, .character("g")], "g G  Home End", .move(.first), "first, last"),
        KeyBinding([.end, .character("G")], "", .move(.last)),
    ]

    /// The keys that open a prompt for a command, a search or a filter.
    ///
    /// If the image view is open, these keys close it first.
    private static let find: [KeyBinding] = [
        KeyBinding([.character(":")], ":", .command, "a command, or image N"),
        KeyBinding([.character("/")], "/", .search, "search as you type"),
        KeyBinding("f", .filter, "show only what matches"),
    ]

    /// The keys for search matches, sorting and automatic scrolling.
    private static let arrange: [KeyBinding] = [
        KeyBinding([.character("n")], "n  N", .nextMatch, "next match, previous match"),
        KeyBinding([.character("N")], "", .previousMatch),
        KeyBinding("S", .sort, "sort"),
        KeyBinding("a", .toggleAutoScroll, "scroll automatically"),
    ]

    private static let look: [KeyBinding] = [
        KeyBinding([.enter, .character(" ")], "Enter  Backspace", .open, "open; leave folder"),
        KeyBinding([.backspace], "", .leaveFolder),
        KeyBinding([.character("[")], "[  ]  F", .smallerTiles, "smaller, larger, cropped"),
        KeyBinding([.character("]")], "", .largerTiles),
        KeyBinding([.character("F")], "", .toggleCropping),
    ]

    private static let openPicture: [KeyBinding] = [
        KeyBinding([.character("+")], "+  -  0  =", .zoomIn, "zoom in, out, whole, 100 %"),
        KeyBinding([.character("-")], "", .zoomOut),
        KeyBinding([.character("0")], "", .fit),
        KeyBinding([.character("=")], "", .actualSize),
        KeyBinding([.character("<")], "<  >  \\  _", .rotateLeft, "rotate, mirror, flip over"),
        KeyBinding([.character(">")], "", .rotateRight),
        KeyBinding([.character("\\")], "", .mirror),
        KeyBinding([.character("_")], "", .flip),
        KeyBinding([.left, .character("h")], "arrows  h j k l", .move(.left), "move the view"),
        KeyBinding([.down, .character("j")], "", .move(.down)),
        KeyBinding([.up, .character("k")], "", .move(.up)),
        KeyBinding([.right, .character("l")], "", .move(.right)),
        KeyBinding([.control("u")], "^U ^D", .move(.halfUp), "half a screen, or 10 images"),
        KeyBinding([.control("d")], "", .move(.halfDown)),
        KeyBinding([.character("n"), .pageDown], "n  p  N  P", .next, "next, previous; marked"),
        KeyBinding([.character("p"), .pageUp], "", .previous),
        KeyBinding([.character("N")], "", .nextMarked),
        KeyBinding([.character("P")], "", .previousMarked),
        KeyBinding([.home, .character("g")], "g G  Home End", .move(.first), "first, last"),
        KeyBinding([.end, .character("G")], "", .move(.last)),
        KeyBinding(
            [.escape, .enter, .character(" "), .character("q")],
            "Esc  Enter  q",
            .close,
            "back to the grid"
        ),
        KeyBinding("a", .toggleSlideshow, "slideshow, on and off"),
    ]

    /// The keys that select the next new image or mark all images as seen.
    private static let news: [KeyBinding] = [
        KeyBinding([.control("i")], "Tab  v", .nextUnread, "next new, mark all as seen"),
        KeyBinding([.character("v")], "", .readAll),
    ]

    /// The keys for marks, labels and actions on images, in the grid and in the image view.
    private static let choose: [KeyBinding] = [
        KeyBinding([.character("m")], "m  M", .toggleMark, "mark, mark a range"),
        KeyBinding([.character("M")], "", .markRange),
        KeyBinding([.control("a")], "^A  ^R  U", .markAll, "mark all, invert, unmark"),
        KeyBinding([.control("r")], "", .invertMarks),
        KeyBinding([.character("U")], "", .unmarkAll),
        KeyBinding([.character(")")], ")  (", .nextMarked, "next, previous marked"),
        KeyBinding([.character("(")], "", .previousMarked),
        KeyBinding([.character("L")], "L", .toggleLabelMode, "1 to 9 label, 0 removes"),
        KeyBinding("u", .undo, "undo marks and labels"),
        KeyBinding([.character("i")], "i  I", .information, "information; all of it"),
        KeyBinding([.character("I")], "", .wholeInformation),
        KeyBinding("o", .openOutside, "open with another program"),
        KeyBinding([.character("y")], "y  Y", .copyAddress, "copy the URL, the position"),
        KeyBinding([.character("Y")], "", .copyPosition),
        KeyBinding("w", .save, "save to this folder"),
        KeyBinding("D", .trash, "delete to the trash (asks)"),
        KeyBinding([.character("!")], "!  |", .runCommand(asLines: false), "run a command"),
        KeyBinding([.character("|")], "", .runCommand(asLines: true)),
    ]

    private static let figures: [KeyBinding] = [
        KeyBinding("s", .nextStatistics, "statistics"),
        KeyBinding([.character("t")], "t  e  T", .toggleTrace, "trace, its filter, lanes"),
        KeyBinding([.character("e")], "", .nextTraceFilter),
        KeyBinding([.character("T")], "", .toggleLanes),
        KeyBinding("b", .nextSymbols, "pixels, blocks, symbols"),
        KeyBinding("A", .toggleAnimations, "animations on, off"),
    ]

    private static let load: [KeyBinding] = [
        KeyBinding("r", .retry, "retry failed, cancelled"),
        KeyBinding("R", .refresh, "reload from the source"),
        KeyBinding([.function(5)], "F5", .reload, "reload the feed"),
        KeyBinding([.character("z")], "z  Z", .togglePause, "pause; cancel nothing"),
        KeyBinding([.character("Z")], "", .toggleCancelling),
        KeyBinding("X", .cancelAll, "cancel all loads"),
    ]

    private static let caches: [KeyBinding] = [
        KeyBinding("c", .clearMemory, "clear the memory cache"),
        KeyBinding("C", .clearDisk, "clear the disk cache (asks)"),
        KeyBinding("x", .cleanDisk, "clean the disk cache"),
    ]

    private static let quit = [KeyBinding("q", .quit, "quit")]

    private static let program: [KeyBinding] = [
        KeyBinding("?", .toggleHelp, "this help"),
        KeyBinding([.control("l")], "^L", .redraw, "redraw the screen"),
        KeyBinding([.control("z")], "^Z", .suspend, "suspend"),
    ]
}

/// A group of keys with a heading in the help.
struct KeyGroup: Sendable {
    let title: String
    let bindings: [KeyBinding]

    init(_ title: String, _ bindings: [KeyBinding]) {
        self.title = title
        self.bindings = bindings
    }
}

/// The keys for an action, and their line in the help.
struct KeyBinding: Hashable, Sendable {
    /// The keys that trigger the action.
    let keys: [Key]
    /// The names of the keys as shown in the help.
    let label: String
    let action: GalleryAction
    /// The description for the help, or nil if the help line of the previous binding covers the
    /// keys.
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

/// An action that a key can trigger.
enum GalleryAction: Hashable, Sendable {
    case move(Movement)
    case search, nextMatch, previousMatch, filter, sort
    case open, leaveFolder
    case command
    case toggleAutoScroll, toggleAnimations, toggleSlideshow
    case largerTiles, smallerTiles, toggleCropping
    case zoomIn, zoomOut, fit, actualSize
    case rotateLeft, rotateRight, mirror, flip
    case next, previous, nextMarked, previousMarked
    case close
    case retry, refresh, reload
    case nextUnread, readAll
    case clearMemory, clearDisk, cleanDisk
    case cancelAll, togglePause, toggleCancelling
    case nextStatistics, toggleTrace, nextTraceFilter, toggleLanes, nextSymbols, toggleHelp
    case information, wholeInformation
    case openOutside, copyAddress, copyPosition, save, trash
    case runCommand(asLines: Bool)
    case toggleMark, markRange, markAll, invertMarks, unmarkAll, undo, toggleLabelMode
    case redraw, suspend, quit
}

/// A direction or a distance by which the selection or the open image moves.
enum Movement: Hashable, Sendable {
    case left, right, up, down
    case pageUp, pageDown, halfUp, halfDown
    case first, last

    /// Returns the number of rows that a movement by pages scrolls, or nil for other movements.
    func screenful(rows: Int) -> Int? {
        switch self {
        case .pageUp: -rows
        case .pageDown: rows
        case .halfUp: -((rows + 1) / 2)
        case .halfDown: (rows + 1) / 2
        case .left, .right, .up, .down, .first, .last: nil
        }
    }
}
