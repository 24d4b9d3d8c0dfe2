import Decoders
import Feeds
import GalleryCore
import ImageLoading
import SystemSupport

/// The result for one pair of images, as a line of `compare --batch`.
struct CompareReport: Equatable, Sendable {
    /// One of the two arguments.
    enum Side: String, Sendable {
        case a, b
    }

    enum Outcome: Equatable, Sendable {
        case compared(ImageComparison, PixelSize)
        case sizeDiffers(PixelSize, PixelSize)
        /// The other argument has no image with this name.
        case onlyIn(Side)
        case failed(ImageLoadingError, Side)
    }

    enum Status: String, CaseIterable, Sendable {
        case equal, similar, different, sizeDiffers, onlyInA, onlyInB, failed

        /// Whether the pair does not count as a difference in the exit status.
        var isAccepted: Bool { self == .equal || self == .similar }
    }

    /// The name of the pair, encoded by `FileText`.
    let name: String
    let outcome: Outcome
    let status: Status

    /// Creates a report.
    ///
    /// Images that differ are similar if their SSIM is at least `leastSimilarity`. Without a limit,
    /// or for images too small for SSIM, no difference is accepted.
    init(name: String, outcome: Outcome, leastSimilarity: Double?) {
        (self.name, self.outcome) = (name, outcome)
        status =
            switch outcome {
            case .compared(let result, _): Self.status(of: result, leastSimilarity)
            case .sizeDiffers: .sizeDiffers
            case .onlyIn(.a): .onlyInA
            case .onlyIn(.b): .onlyInB
            case .failed: .failed
            }
    }

    private static func status(of result: ImageComparison, _ limit: Double?) -> Status {
        if result.changedPixelCount == 0 { return .equal }
        guard let limit, let similarity = result.structuralSimilarity else { return .different }
        return similarity >= limit ? .similar : .different
    }

    /// Returns the report as a JSON object on one line, with the keys in alphabetical order.
    ///
    /// Keys that don't apply are omitted.
    func jsonLine() -> [UInt8] {
        var line = JSONLine()
        switch outcome {
        case .compared(let result, let size):
            line.add("a", Self.object(size))
            line.add("b", Self.object(size))
            Self.add(result, to: &line)
        case .sizeDiffers(let one, let other):
            line.add("a", Self.object(one))
            line.add("b", Self.object(other))
        case .failed(let error, let side): line.add("error", Self.object(error, side))
        case .onlyIn: break
        }
        line.add("name", FileText.shown(name))
        if case .compared(let result, _) = outcome {
            line.add("ssim", json: result.structuralSimilarity.map(Self.number) ?? "null")
        }
        line.add("status", status.rawValue)
        return line.closed()
    }

    private static func add(_ result: ImageComparison, to line: inout JSONLine) {
        line.add("changed_pixels", result.changedPixelCount)
        line.add("changed_share", json: number(result.changedShare))
        line.add("delta_e_mean", json: number(result.meanColorDifference))
        line.add("delta_e_p99", json: number(result.highColorDifference))
    }

    private static func object(_ size: PixelSize) -> JSONLine {
        var object = JSONLine()
        object.add("height", size.height)
        object.add("width", size.width)
        return object
    }

    private static func object(_ error: ImageLoadingError, _ side: Side) -> JSONLine {
        var object = JSONLine()
        object.add("class", error.kind.rawValue)
        object.add("message", error.description)
        object.add("side", side.rawValue)
        object.add("stage", error.stage.rawValue)
        return object
    }

    /// Returns a number with at most seven decimals.
    private static func number(_ value: Double) -> String {
        "\((value * 10_000_000).rounded() / 10_000_000)"
    }
}
