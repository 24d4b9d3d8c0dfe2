internal import ImageLoading

/// Why there is no image, in the words of a tile and of the status bar.
///
/// Words begin with what happened; where it happened in the engine is for logs.
struct LoadFailure: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case failed
        /// The person said so: no fault.
        case cancelled
        /// A picture, but of a format without a decoder.
        case unsupported
    }

    let kind: Kind
    /// The whole reason, on one line.
    let reason: String
    /// The same in one or two words, for a narrow tile.
    let short: String
    /// What helps, or when it is tried again; nil if nothing does.
    let advice: String?

    /// A load that the person ended.
    static let cancelled = LoadFailure(
        kind: .cancelled,
        reason: "cancelled",
        short: "cancelled",
        advice: "r loads it"
    )

    /// An item that can't be tried: a line of the feed that can't be used, or a file that is gone.
    init(of item: FeedItem) {
        self.init(
            item.problem ?? "",
            kind: item.isDeleted ? .cancelled : .failed,
            advice: nil
        )
    }

    /// A load that went wrong.
    init(_ error: ImageLoadingError) {
        switch error.reason {
        case .cancelled: self = .cancelled
        case .remembered(let text, .max): self.init(text, kind: .failed, advice: Self.retry)
        case .remembered(let text, let seconds):
            self.init(text, kind: .failed, advice: "retry in \(Self.text(forSeconds: seconds))")
        case .hostUnavailable(let host, let seconds):
            self.init(
                "\(host) keeps failing",
                kind: .failed,
                advice: "retry in \(Self.text(forSeconds: seconds))"
            )
        default: self.init(error.description, kind: .failed, advice: Self.retry)
        }
    }

    /// A load that goes on when its server answers.
    init(waiting error: ImageLoadingError) {
        let failure = LoadFailure(error)
        self.init(
            kind: failure.kind,
            reason: failure.reason,
            short: failure.short,
            advice: "waiting for the server"
        )
    }

    private static let retry = "r tries again"

    /// The same, with the key that tries again by now; without a word of it if there is none.
    func advised(by keys: KeyTables) -> LoadFailure {
        guard let advice, advice.hasPrefix("r ") else { return self }
        let key = keys.name(of: .retry)
        return LoadFailure(
            kind: kind,
            reason: reason,
            short: short,
            advice: key.isEmpty ? nil : key + advice.dropFirst()
        )
    }

    private init(kind: Kind, reason: String, short: String, advice: String?) {
        self.kind = kind
        self.reason = reason
        self.short = short
        self.advice = advice
    }

    /// Takes a text of the engine: what is remembered of an earlier failure is a text, no more.
    private init(_ text: String, kind: Kind, advice: String?) {
        if let format = Self.unsupportedFormat(text) {
            self.init(
                kind: .unsupported,
                reason: "\(format) is not supported",
                short: String(format),
                advice: nil
            )
            return
        }
        let number = text.prefix { $0.isASCII && $0.isNumber }
        guard number.count == 3, text.dropFirst(3).first == " " else {
            let isBroken = text.hasPrefix("connection closed") || text.hasPrefix("connection lost")
            let short = isBroken ? "cut off" : text.prefix { $0 != ":" && $0 != "(" }
            self.init(
                kind: kind,
                reason: text,
                short: String(short.last == " " ? short.dropLast() : short),
                advice: advice
            )
            return
        }
        // The words first, the number for those who know it.
        self.init(
            kind: kind,
            reason: "\(text.dropFirst(4)) (\(number))",
            short: String(number),
            advice: advice
        )
    }

    /// The name of a picture format in "GIF: this build has no decoder for it"; nil of what is none.
    private static func unsupportedFormat(_ text: String) -> Substring? {
        let end = ": this build has no decoder for it"
        return text.hasSuffix(end) ? text.dropLast(end.count) : nil
    }

    /// Never less than there is to wait.
    private static func text(forSeconds seconds: Int) -> String {
        switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\((seconds + 59) / 60) min"
        default: "\((seconds &+ 3599) / 3600) h"
        }
    }
}
