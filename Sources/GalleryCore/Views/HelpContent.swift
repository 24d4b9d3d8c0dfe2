import TerminalUI

/// The text of the help, laid out for the size of the screen.
///
/// The help has two columns if the screen has at least 76 columns. Long lines are wrapped between
/// words.
struct HelpContent {
    /// A row in a column of text.
    enum Row: Equatable {
        case blank
        case title(String)
        /// A line of key names, and a line of their description, which starts at this offset.
        case keys(String, String, at: Int)
        case signs([TileSign], String, at: Int)
        /// The symbol of a waiting image and the progress bar of a loading image, with a
        /// description.
        case loading(String, at: Int)
        /// The badges of a mark and a label and the symbol of a new image, with a description.
        case badges(String, at: Int)
    }

    /// An entry before its text is wrapped.
    private enum Entry {
        case keys(String, String)
        case signs([TileSign], String)
        case loading(String)
        case badges(String)

        /// The text that the help filter searches.
        var text: String {
            switch self {
            case .keys(let label, let help): "\(label) \(help)"
            case .signs(_, let help), .loading(let help), .badges(let help): help
            }
        }
    }

    private typealias Group = (title: String, entries: [Entry])

    /// The rows of each column.
    let columns: [[Row]]
    private let screen: ScreenSize

    /// The minimum screen width for two columns of text.
    private static let wideScreen = 76
    /// The minimum width of a column in which all descriptions start at the same offset.
    private static let wideColumn = 50
    private static let labelWidth = 18
    private static let signsWidth = 10

    init(on screen: ScreenSize, _ groups: [KeyGroup] = KeyTable.groups, filter: String = "") {
        self.screen = screen
        let left = Self.matching(filter, groups[..<3].map(Self.keys) + [Self.signs])
        let right = Self.matching(filter, groups[3...].map(Self.keys) + [Self.mouse])
        let width = Self.textWidth(on: screen)
        let all = screen.columns >= Self.wideScreen ? [left, right] : [left + right]
        columns = all.map { Self.rows($0, width: width) }
    }

    // MARK: Groups

    private static func keys(_ group: KeyGroup) -> Group {
        let entries = group.bindings.compactMap { binding in
            binding.help.map { Entry.keys(binding.label, $0) }
        }
        return (group.title, entries)
    }

    private static let mouse: Group = (
        "Mouse",
        [
            .keys("wheel  click", "scroll, select"),
            .keys("double  right", "open and back, mark"),
            .keys("wheel  drag", "zoom, move an open image"),
            .keys("middle button", "jump to that position"),
        ]
    )

    private static let signs: Group = (
        "Signs below an image",
        [
            .signs([.network, .disk, .memory], "from network, disk, memory"),
            .loading("waiting, loading"),
            .signs([.incomplete, .stale, .mayChange], "incomplete, stale, may change"),
            .signs([.failed, .cancelled], "failed, cancelled"),
            .signs([.unsupported, .paused], "not supported, paused"),
            .badges("marked, labeled 3, new"),
        ]
    )

    /// Returns the entries that contain the filter, or whose group title contains it.
    private static func matching(_ filter: String, _ groups: [Group]) -> [Group] {
        guard !filter.isEmpty else { return groups }
        let needle = filter.lowercased()
        return groups.compactMap { group in
            if group.title.lowercased().contains(needle) { return group }
            let entries = group.entries.filter { $0.text.lowercased().contains(needle) }
            return entries.isEmpty ? nil : (group.title, entries)
        }
    }

    // MARK: Rows

    private static func rows(_ groups: [Group], width: Int) -> [Row] {
        Array(
            groups.map { group in
                wrapped(group.title, width).map { .title($0) }
                    + group.entries.flatMap { rows($0, width: width) }
            }
            .joined(separator: [.blank])
        )
    }

    private static func rows(_ entry: Entry, width: Int) -> [Row] {
        let start = width >= wideColumn ? labelWidth : signsWidth
        switch entry {
        case .keys(let label, let help): return keys(label, help, width: width)
        case .signs(let signs, let help):
            return signRows(help, start, width) { .signs(signs, $0, at: $1) }
        case .loading(let help): return signRows(help, start, width) { .loading($0, at: $1) }
        case .badges(let help): return signRows(help, start, width) { .badges($0, at: $1) }
        }
    }

    private static func signRows(
        _ help: String,
        _ start: Int,
        _ width: Int,
        _ row: (String, Int) -> Row
    ) -> [Row] {
        let texts = wrapped(help, width - start)
        return [row(texts.first ?? "", start)] + texts.dropFirst().map { .keys("", $0, at: start) }
    }

    /// Returns the rows for key names and their description.
    ///
    /// If there is too little space beside the names, the description is placed below them.
    private static func keys(_ label: String, _ help: String, width: Int) -> [Row] {
        let start = width >= wideColumn ? labelWidth : max(signsWidth, label.count + 2)
        let room = width - start
        guard room >= 12, longestWord(help) <= room else {
            return wrapped(label, width).map { .keys($0, "", at: 0) }
                + wrapped(help, width - 2).map { .keys("", $0, at: 2) }
        }
        let texts = wrapped(help, room)
        return [.keys(label, texts.first ?? "", at: start)]
            + texts.dropFirst().map { .keys("", $0, at: start) }
    }

    private static func longestWord(_ text: String) -> Int {
        text.split(separator: " ").map(\.count).max() ?? 0
    }

    /// Splits text between words into lines of at most `width` characters.
    private static func wrapped(_ text: String, _ width: Int) -> [String] {
        guard text.count > width else { return [text] }
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    // MARK: Area

    /// The screen columns in which each column of text is drawn.
    func place(ofColumn index: Int) -> Range<Int> {
        let start = Self.margin(screen) + index * Self.pitch(on: screen)
        return start..<start + Self.textWidth(on: screen)
    }

    private static func margin(_ screen: ScreenSize) -> Int {
        switch screen.columns {
        case 116...: (screen.columns - 2 * 56) / 2 + 2
        case 100...: (screen.columns - 2 * pitch(on: screen)) / 2 + 2
        case wideScreen...: 2
        case 60...: 6
        default: 1
        }
    }

    /// The distance between the starts of two columns of text.
    private static func pitch(on screen: ScreenSize) -> Int {
        screen.columns >= wideScreen ? min(56, (screen.columns - 4) / 2 + 1) : screen.columns
    }

    private static func textWidth(on screen: ScreenSize) -> Int {
        let isWide = screen.columns >= wideScreen
        return isWide ? pitch(on: screen) - 2 : screen.columns - margin(screen) - 1
    }

    var top: Int { screen.rows >= 12 ? 1 : 0 }

    /// The number of rows available for lines.
    var height: Int { max(1, screen.rows - 1 - 2 * top) }

    private var lineCount: Int { columns.map(\.count).max() ?? 0 }

    /// The largest scroll position, at which the last line is visible.
    var lastScroll: Int { max(0, lineCount - height) }

    /// Returns a note about the visible rows, or nil if all rows are visible.
    func rowsNote(scroll: Int) -> String? {
        guard lastScroll > 0 else { return nil }
        return "rows \(scroll + 1)-\(scroll + height) of \(lineCount)"
    }
}
