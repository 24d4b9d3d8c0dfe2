internal import ImageLoading

/// A sign at the right end of a caption: the state of its picture.
enum TileSign: Hashable, Sendable, CaseIterable {
    case memory, disk, network
    case queued, mayChange, stale, incomplete, paused
    case failed, cancelled, unsupported

    /// The sign, and what stands for it in ASCII.
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

/// What stands at the right end of a caption.
enum TileSlot: Hashable, Sendable {
    case nothing
    case sign(TileSign)
    /// How much of the bytes has come, 0 to 1.
    case bar(Double)
    /// The bytes that have come of nobody knows how many.
    case bytes(Int)

    /// The state of a cell; `isPaused` is whether no transfer starts.
    init(_ slot: CellSlot, isPaused: Bool) {
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
            } else if slot.isStale {
                self = .sign(.stale)
            } else {
                self = slot.isLocalFile ? .nothing : .sign(source.sign)
            }
        case .failed(let failure):
            self = .sign(slot.isIncomplete ? .incomplete : failure.kind.sign)
        }
    }

    /// The columns a bar takes in the caption of a tile.
    static func barWidth(inTileOf columns: Int) -> Int {
        switch columns {
        case 24...: 5
        case 16...: 4
        default: 3
        }
    }
}

extension ImageSource {
    /// The sign of an image that came from here.
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

/// A bar that fills by eighths of a column, or by columns where only those can be told apart.
struct ProgressBar {
    let fraction: Double
    let columns: Int

    /// The characters, one a column, that the terminal has.
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

/// The words of a tile that has no picture.
enum TileWords {
    /// At most two lines, none of them broken inside a word; none if that takes more room.
    static func lines(_ failure: LoadFailure, width: Int, height: Int) -> [String] {
        guard height >= 2 else { return [] }
        for reason in [failure.reason, failure.short] where fits(reason, width) {
            let advice = failure.advice.flatMap { fits($0, width) ? [$0] : nil }
            return [reason] + (advice ?? [])
        }
        return [failure.reason, failure.short].lazy.map { wrapped($0, width) }
            .first { $0.count <= 2 } ?? []
    }

    /// Lines of whole words; too many of them if one word alone is too long.
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
