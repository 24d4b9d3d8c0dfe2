import Decoders
import GalleryCore
import TerminalUI

/// The text report printed by `doctor`.
///
/// This type has no side effects.
struct DoctorReport {
    let lines: [TerminalText]

    init(
        _ environment: TerminalEnvironment,
        entry: TerminfoEntry?,
        profile: ScreenProfile,
        detection: DetectionResult,
        drawsColors: Bool = false
    ) {
        let detected = detection.detected
        let isUnsure =
            profile.mayHaveMoreColors && detected.colorDepth == profile.depth
            && detection.replies.hasDirectColor == nil
        let texts =
            ["terminal: \(Self.terminal(environment, entry))"]
            + Self.replies(detection)
            + detected.reasons + Self.abilities(detected)
            // The reasons already contain the colors.
            + profile.reasonsBeyondColor(detected)
            + profile.capabilities.offeredSymbols.map { Self.sample(of: $0) }
        lines = texts.map { TerminalText($0) } + (drawsColors && isUnsure ? Self.band : [])
    }

    private static func replies(_ detection: DetectionResult) -> [String] {
        if let problem = detection.problem { return ["not queried: \(problem)"] }
        guard !detection.asked.isEmpty else {
            return ["not queried: terminals of this kind do not answer"]
        }
        let missing = detection.asked.filter { detection.replies.byQuery[$0] == nil }
        let answered = detection.asked.compactMap { query in
            detection.replies.byQuery[query].map { "  \(query.line): \($0.description)" }
        }
        guard !answered.isEmpty else {
            return ["sent \(detection.asked.count) queries; no answer"]
        }
        let silence = missing.map(\.rawValue).joined(separator: ", ")
        return ["queries answered:"] + answered
            + (missing.isEmpty ? [] : ["  no answer: \(silence)"])
    }

    private static func abilities(_ detected: TerminalCapabilities) -> [String] {
        var lines: [String] = []
        if detected.protocols.contains(where: { [.kitty, .kittyPlaceholders].contains($0) }) {
            let memory = detected.takesSharedMemory ? "yes" : "no"
            let compressed = detected.takesCompressedPixels ? "yes" : "no"
            lines.append("kitty images in shared memory: \(memory); compressed: \(compressed)")
        }
        let frames = detected.synchronizesOutput ? "synchronized" : "not reported"
        let clusters = detected.showsGraphemeClusters ? "yes" : "not reported"
        lines.append("whole frames: \(frames); grapheme clusters: \(clusters)")
        if let isWide = detected.hasWideSigns {
            lines.append("characters of ambiguous width: \(isWide ? "two columns" : "one column")")
        }
        if let text = detected.background?.hexadecimal {
            lines.append("background: \(text)")
        }
        return lines
    }

    private static var band: [TerminalText] {
        [
            "  24-bit?   \(ColorBand.text)",
            "            If this is smooth, use --colors 24bit.",
        ]
    }

    private static func terminal(
        _ environment: TerminalEnvironment,
        _ entry: TerminfoEntry?
    ) -> String {
        guard let entry else {
            return "TERM=\(environment.term), which has no usable terminfo entry"
        }
        let isOther = entry.name != environment.term
        return "TERM=\(environment.term)" + (isOther ? ", treated as \(entry.name)" : "")
    }

    /// Returns a line with a sample of the symbols.
    ///
    /// The bar at the end shows whether the terminal dropped any characters.
    private static func sample(of symbols: SymbolSet) -> String {
        let name = symbols.rawValue
        let gap = String(repeating: " ", count: max(1, 10 - name.count))
        return "  \(name)\(gap)\(symbols.sample)|"
    }
}

extension TerminalQuery {
    fileprivate var line: String { "\(title) (\(rawValue))" }
}

extension CellColor {
    /// The color as text, such as "#1c2028", or nil for a color without RGB values.
    var hexadecimal: String? {
        guard case .rgb(let red, let green, let blue) = kind else { return nil }
        let digits = [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return "#" + digits.joined()
    }
}

/// The JSON report printed by `doctor --json`.
struct DetectionReport: Encodable {
    let term: String
    let name: String?
    let version: String?
    let problem: String?
    let pixels: [String]
    let sharedMemory: Bool
    let compressedPixels: Bool
    let throughTmux: Bool
    let cellWidth: Int?
    let cellHeight: Int?
    let colors: String?
    let synchronizedOutput: Bool
    let graphemeClusters: Bool
    let wideSigns: Bool?
    let background: String?
    let foreground: String?
    let asked: [String]
    let answers: [String: String]
    let reasons: [String]
    let decoders: String
    let formats: [String]
    /// The packages to install, keyed by the image format that needs them.
    let missing: [String: String]

    init(
        _ environment: TerminalEnvironment,
        detection: DetectionResult,
        decoding: DecoderReport
    ) {
        decoders = decoding.isolation
        formats = decoding.formats.map(\.rawValue)
        missing = Dictionary(
            uniqueKeysWithValues: decoding.missing.map { ($0.format.rawValue, $0.package) }
        )
        let detected = detection.detected
        term = environment.term
        (name, version) = (detected.name?.name, detected.name?.version)
        problem = detection.problem
        pixels = detected.protocols.map(\.rawValue)
        (sharedMemory, compressedPixels) = (
            detected.takesSharedMemory, detected.takesCompressedPixels
        )
        throughTmux = detected.passesThroughTmux
        (cellWidth, cellHeight) = (detected.cellPixels?.width, detected.cellPixels?.height)
        colors = detected.colorDepth?.rawValue
        synchronizedOutput = detected.synchronizesOutput
        graphemeClusters = detected.showsGraphemeClusters
        wideSigns = detected.hasWideSigns
        (background, foreground) = (
            detected.background?.hexadecimal, detected.foreground?.hexadecimal
        )
        asked = detection.asked.map(\.rawValue)
        answers = Dictionary(
            uniqueKeysWithValues: detection.replies.byQuery.map {
                ($0.key.rawValue, $0.value.description)
            }
        )
        reasons = detected.reasons
    }
}

/// A band of colors that shows whether the terminal displays 24-bit color.
///
/// With 24-bit color, the band is smooth. If the terminal replaces each color with the nearest
/// available color, the band has visible steps. This type has no side effects.
enum ColorBand {
    static let columns = 40

    private static let first: SIMD3<Double> = [16, 24, 64]
    private static let last: SIMD3<Double> = [112, 72, 144]

    /// The colors, from left to right.
    static var colors: [(red: Int, green: Int, blue: Int)] {
        (0..<columns).map { column in
            let part = Double(column) / Double(columns - 1)
            let color = (first + (last - first) * part).rounded(.toNearestOrEven)
            return (Int(color.x), Int(color.y), Int(color.z))
        }
    }

    /// A space in each of the background `colors`, followed by a sequence that resets the color.
    static var text: TerminalText {
        let band: TerminalText = colors.reduce("") { band, color in
            "\(band)\u{1B}[48;2;\(color.red);\(color.green);\(color.blue)m "
        }
        return "\(band)\u{1B}[0m"
    }
}
