import CNCurses
import Glibc

/// An ncurses session, which starts and ends the screen, reads keys, and draws cells.
///
/// Only this class uses ncurses. ncurses has global state, so only one session may exist at a time,
/// on a single thread. Keys are read through a pad because reading through `stdscr` would refresh
/// it over the output of another painter.
final class CursesSession {
    private let screen: OpaquePointer
    private let pad: UnsafeMutableRawPointer
    private let files: [UnsafeMutablePointer<FILE>]
    private var isEnded = false
    private var isCursorShown = false

    /// Starts the screen with the terminfo entry `entry`; `setlocale` must be called first.
    init(entry: String, input: Int32, output: Int32) throws(TerminalError) {
        guard let inputFile = fdopen(dup(input), "r"), let outputFile = fdopen(dup(output), "w")
        else { throw .system(call: "fdopen", code: errno) }
        files = [inputFile, outputFile]
        guard let screen = newterm(entry, outputFile, inputFile) else {
            files.forEach { fclose($0) }
            throw .unknownType(entry)
        }
        guard let pad = cncurses_make_pad() else {
            endwin()
            delscreen(screen)
            throw .system(call: "newpad", code: ENOMEM)
        }
        (self.screen, self.pad) = (screen, pad)
        set_escdelay(25)
        typeahead(-1)
        cbreak()
        noecho()
        nonl()
        curs_set(0)
        cncurses_prepare_pad(pad)
        defineKeys()
    }

    /// Ends the screen, and restores the original modes and the primary screen.
    package func end() {
        guard !isEnded else { return }
        isEnded = true
        // Calling `endwin` twice would move the cursor to the last row of the primary screen.
        if !isendwin() { endwin() }
        cncurses_delete_pad(pad)
        delscreen(screen)
        files.forEach { fclose($0) }
    }

    /// Leaves the screen temporarily, until the next call to `refresh`.
    package func leave() {
        endwin()
    }

    /// Saves the terminal's current modes, which `refresh` restores after `leave`.
    func keepModes() {
        def_prog_mode()
    }

    /// Draws the cells passed to ncurses, after returning to the screen if necessary.
    package func refresh() {
        guard let window = cncurses_screen() else { return }
        wnoutrefresh(window)
        doupdate()
    }

    /// Makes the next call to `refresh` draw every cell.
    package func invalidate() {
        guard let window = cncurses_screen() else { return }
        clearok(window, true)
    }

    /// Makes the next call to `refresh` draw every cell of a row.
    package func invalidate(row: Int) {
        guard let window = cncurses_screen() else { return }
        wredrawln(window, Int32(clamping: row), 1)
    }

    /// Passes the terminal's size to ncurses.
    package func resize(to size: ScreenSize) {
        resizeterm(Int32(clamping: size.rows), Int32(clamping: size.columns))
    }

    /// Reads one key or character, or returns nil if no input is available.
    package func readKey() -> CursesKey? {
        var character: wint_t = 0
        switch cncurses_read_key(pad, &character) {
        case OK: return .character(UInt32(character))
        case KEY_CODE_YES: return .code(Int32(bitPattern: UInt32(character)))
        default: return nil
        }
    }

    /// Discards keys that have not been read.
    func dropInput() {
        flushinp()
    }

    /// Returns a string capability from the terminfo entry, or an empty string if it is missing.
    func capability(_ name: String) -> String {
        cncurses_capability(name).map { String(cString: $0) } ?? ""
    }

    // MARK: Cells

    /// Turns on colors, and returns the numbers of colors and pairs, or nil on a monochrome
    /// terminal.
    ///
    /// `COLOR_PAIRS` is the value from the terminfo entry. With 16 colors, it is 256, which is
    /// enough for every pair of two colors. If default colors are enabled, ncurses accepts `2 *
    /// COLORS` additional pairs, one for each color with a default color. To use them, pairs must
    /// be numbered in the order in which they are set because ncurses' limit increases with each
    /// pair that contains a default color.
    func startColors() -> (colors: Int, pairs: Int, hasDefault: Bool)? {
        guard has_colors(), start_color() == OK else { return nil }
        let hasDefault = use_default_colors() == OK
        let (colors, pairs) = (Int(cncurses_color_count()), Int(cncurses_pair_count()))
        return (colors, hasDefault ? pairs + 2 * colors + 1 : pairs, hasDefault)
    }

    /// Sets the colors of a pair (-1 is the default color).
    ///
    /// Until the pairs are reset, set each pair only once. If a pair is set again, ncurses searches
    /// the entire screen, which takes 170 ms per frame.
    func setPair(_ pair: Int, foreground: Int, background: Int) -> Bool {
        init_extended_pair(Int32(pair), Int32(foreground), Int32(background)) == OK
    }

    /// Removes all pairs, which makes ncurses draw every cell again.
    func resetPairs() {
        reset_color_pairs()
    }

    /// Writes cells to a row, starting at a column.
    ///
    /// Leave out the right halves of wide characters.
    package func put(_ cells: [CursesCell], row: Int, column: Int) {
        guard let window = cncurses_screen() else { return }
        let line = cells.map { cell in
            var made = cchar_t()
            let scalars = cell.scalar < GraphemeClusters.first ? [] : cell.scalars
            cncurses_make_cell(
                &made,
                wchar_t(bitPattern: scalars.first ?? cell.scalar),
                scalars.dropFirst().map { wchar_t(bitPattern: $0) },
                Int32(max(0, scalars.count - 1)),
                cell.curses,
                Int32(cell.pair)
            )
            return made
        }
        mvwadd_wchnstr(window, Int32(row), Int32(column), line, Int32(line.count))
    }

    /// Sets the cursor position for the next call to `refresh`, or hides the cursor if `place` is
    /// nil.
    func showCursor(at place: FrameCursor?) {
        if (place != nil) != isCursorShown {
            isCursorShown = place != nil
            curs_set(isCursorShown ? 1 : 0)
        }
        guard let place, let window = cncurses_screen() else { return }
        wmove(window, Int32(clamping: place.row), Int32(clamping: place.column))
    }

    // MARK: Keys

    /// Adds key sequences that terminals send although their terminfo entries do not contain them.
    ///
    /// Also disables ncurses' mouse handling because ncurses would wait for a second click and,
    /// with some terminfo entries, support only 223 columns.
    private func defineKeys() {
        define_key(nil, KEY_MOUSE)
        for (sequence, code) in CursesKey.sequences { define_key(sequence, code) }
    }
}

/// A cell for ncurses.
struct CursesCell {
    package var scalar: UInt32
    package var attributes: CellAttributes
    package var pair: Int

    fileprivate var scalars: [UInt32] { GraphemeClusters.scalars(of: scalar) }

    fileprivate var curses: attr_t {
        var set: attr_t = 0
        if attributes.contains(.bold) { set |= cncurses_bold }
        if attributes.contains(.dim) { set |= cncurses_dim }
        if attributes.contains(.reverse) { set |= cncurses_reverse }
        if attributes.contains(.underline) { set |= cncurses_underline }
        return set
    }
}

/// Input read by ncurses.
package enum CursesKey: Equatable {
    /// A character, which may be a control character.
    case character(UInt32)
    /// An ncurses key code or a code defined by this program.
    case code(Int32)

    /// The codes that this program uses for the start of a mouse report.
    ///
    /// They are greater than all ncurses codes.
    package static let mouse: Int32 = 0x1000
    static let oldMouse: Int32 = 0x1001

    /// Returns the code for a complete sequence, or nil if it is not one of `sequences`.
    package static func code(of sequence: String) -> Int32? {
        sequences.first { $0.0 == sequence }?.1
    }

    fileprivate static let sequences: [(String, Int32)] = [
        ("\u{1B}[<", mouse), ("\u{1B}[M", oldMouse),
        ("\u{1B}[A", KEY_UP), ("\u{1B}[B", KEY_DOWN), ("\u{1B}[C", KEY_RIGHT),
        ("\u{1B}[D", KEY_LEFT), ("\u{1B}OA", KEY_UP), ("\u{1B}OB", KEY_DOWN),
        ("\u{1B}OC", KEY_RIGHT), ("\u{1B}OD", KEY_LEFT),
        ("\u{1B}[H", KEY_HOME), ("\u{1B}OH", KEY_HOME), ("\u{1B}[1~", KEY_HOME),
        ("\u{1B}[7~", KEY_HOME), ("\u{1B}[F", KEY_END), ("\u{1B}OF", KEY_END),
        ("\u{1B}[4~", KEY_END), ("\u{1B}[8~", KEY_END),
        ("\u{1B}[5~", KEY_PPAGE), ("\u{1B}[6~", KEY_NPAGE), ("\u{1B}[3~", KEY_DC),
        ("\u{1B}OM", KEY_ENTER), ("\u{1B}[15~", KEY_F0 + 5), ("\u{1B}[[E", KEY_F0 + 5),
    ]

    /// Returns the gallery's key for a key code, or nil if the gallery does not use the key.
    package static func key(code: Int32) -> Key? {
        switch code {
        case KEY_UP: .up
        case KEY_DOWN: .down
        case KEY_LEFT: .left
        case KEY_RIGHT: .right
        case KEY_PPAGE: .pageUp
        case KEY_NPAGE: .pageDown
        case KEY_HOME: .home
        case KEY_END: .end
        case KEY_ENTER: .enter
        case KEY_BACKSPACE: .backspace
        case KEY_DC: .delete
        case KEY_F0 + 1...KEY_F0 + 12: .function(Int(code - KEY_F0))
        default: nil
        }
    }
}

/// The relevant capabilities of a terminfo entry.
package struct TerminfoEntry: Equatable, Sendable {
    package var name: String
    package var colorCount: Int
    var canMoveCursor: Bool
    var isDirectColor: Bool
    var hasMouse: Bool

    /// Loads the entry with this name from the terminfo database, or returns nil if loading fails.
    package static func load(_ name: String) -> TerminfoEntry? {
        guard cncurses_load_entry(name, STDOUT_FILENO) else { return nil }
        defer { cncurses_unload_entry() }
        return TerminfoEntry(
            name: name,
            colorCount: Int(tigetnum("colors")),
            canMoveCursor: cncurses_capability("cup") != nil,
            isDirectColor: tigetflag("RGB") > 0 || tigetnum("colors") > 256,
            hasMouse: cncurses_capability("kmous") != nil
        )
    }
}
