internal import ImageLoading
import TerminalUI

/// A symbol for the state of an image, at the right end of its caption.
enum TileSign: Hashable, Sendable, CaseIterable {
    case memory, disk, network
    case queued, mayChange, stale, incomplete, paused
    case failed, cancelled, unsupported

    /// The symbol and its ASCII replacement.
    var spelling: (symbol: String, ascii: String) {
        switch self {
        case .memory: ("●", "m")
        case .disk: ("■", "d")
        case .network: ("↓", "n")
        case .queued: ("·", ".")
        case .mayChange: ("…", "~")
        case .stale: ("~", "o")
        case .incomplete: ("◐", "%")
        case .paused: ("‖", "=")
        case .failed: ("✗", "x")
        case .cancelled: ("–", "-")
        case .unsupported: ("?", "?")
        }
    }

    var tone: Theme.Tone {
        switch self {
        case .memory, .disk, .network, .queued, .mayChange, .cancelled: .dim
        case .stale, .incomplete, .paused, .unsupported: .warning
        case .failed: .failure
        }
    }
}

/// The content at the right end of a caption.
enum TileSlot: Hashable, Sendable {
    case nothing
    case sign(TileSign)
    /// A progress bar for the fraction of the bytes received, from 0 to 1.
    case bar(Double)
    /// The number of images in a folder.
    case count(String)
    /// The number of bytes received, which is shown if the total is unknown.
    case bytes(Int)

    /// Creates the content for a cell.
    ///
    /// `isPaused` is true while loading is paused.
    init(_ slot: CellSlot, isPaused: Bool) {
        if let count = slot.folder?.countText, !slot.hasFailed {
            self = .count(count)
            return
        }
        switch slot.load {
        case .asked, .queued, .waiting:
            if isPaused {
                self = .sign(.paused)
            } else if slot.isRefreshed {
                self = .sign(.mayChange)
            } else {
                self = slot.saysThatItWaits ? .sign(.queued) : .nothing
            }
        case .loading(let progress):
            if slot.isRefreshed {
                self = .sign(.mayChange)
            } else {
                let isEmpty = progress.received == 0
                self =
                    (progress.fraction ?? (isEmpty ? 0 : nil)).map(TileSlot.bar)
                    ?? .bytes(progress.received)
            }
        case .loaded(let source):
            if slot.isIncomplete {
                self = .sign(.incomplete)
            } else if slot.shown.isStale {
                self = .sign(.stale)
            } else {
                self = slot.isLocalFile ? .nothing : .sign(source.sign)
            }
        case .failed(let failure):
            self = .sign(slot.isIncomplete ? .incomplete : failure.kind.sign)
        }
    }

    /// Returns the width of the progress bar in a tile of `columns` columns.
    static func barWidth(inTileOf columns: Int) -> Int {
        switch columns {
        case 24...: 5
        case 16...: 4
        default: 3
        }
    }
}

extension ImageSource {
    /// The symbol for the source of an image.
    var sign: TileSign {
        switch self {
        case .memory: .memory
        case .disk: .disk
        case .network: .network
        }
    }
}

extension LoadFailure.Kind {
    var sign: TileSign {
        switch self {
        case .failed: .failed
        case .cancelled: .cancelled
        case .unsupported: .unsupported
        }
    }
}

/// A progress bar with a resolution of an eighth of a column.
///
/// If the terminal can't display the symbols for eighths, the resolution is a full column.
struct ProgressBar {
    let fraction: Double
    let columns: Int

    /// Returns the characters of the bar, one per column.
    func text(_ state: GalleryState, hasTrack: Bool = true) -> String {
        let isASCII = !state.capabilities.shows("█░")
        let hasEighths = state.capabilities.shows("▏▎▍▌▋▊▉")
        return text(hasTrack: hasTrack && state.theme.hasSurfaces && hasEighths, isASCII: isASCII)
    }

    func text(hasTrack: Bool, isASCII: Bool) -> String {
        guard hasTrack, !isASCII else {
            let filled = Int((fraction * Double(columns)).rounded())
            return String(repeating: isASCII ? "#" : "█", count: max(0, min(columns, filled)))
                + String(repeating: isASCII ? "-" : "░", count: max(0, columns - filled))
        }
        let eighths = Int((fraction * Double(columns * 8)).rounded())
        return (0..<columns).reduce(into: "") { text, column in
            text.append(Self.blocks[max(0, min(8, eighths - 8 * column))])
        }
    }

    private static let blocks: [Character] = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]
}

/// A namespace for the text in a tile without an image.
enum TileWords {
    /// Returns at most two lines that explain why an image is missing, without breaking words, or
    /// an empty array if the text doesn't fit.
    static func lines(_ failure: LoadFailure, width: Int, height: Int) -> [String] {
        guard height >= 2 else { return [] }
        for reason in [failure.reason, failure.short] where fits(reason, width) {
            let advice = failure.advice.flatMap { fits($0, width) ? [$0] : nil }
            return [reason] + (advice ?? [])
        }
        return [failure.reason, failure.short].lazy.map { wrapped($0, width) }
            .first { $0.count <= 2 } ?? []
    }

    /// Splits text into lines without breaking words.
    ///
    /// If any word is too long, the result has three lines, which indicates that the text does not
    /// fit.
    private static func wrapped(_ text: String, _ width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ").map(String.init) {
            guard fits(word, width) else { return ["", "", ""] }
            if let line = lines.last, fits("\(line) \(word)", width) {
                lines[lines.count - 1] = "\(line) \(word)"
            } else {
                lines.append(word)
            }
        }
        return lines
    }

    private static func fits(_ text: String, _ width: Int) -> Bool {
        FrameText(text, symbols: .halfBlocks).width <= width
    }
}
