internal import Feeds
internal import ImageLoading

/// The reason for a missing image, as shown in a tile and in the status bar.
///
/// The text starts with the problem. The stage of the load in which the error occurred is only
/// logged.
struct LoadFailure: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case failed
        /// The user cancelled the load, which is not an error.
        case cancelled
        /// This build has no decoder for the format of the image.
        case unsupported
    }

    let kind: Kind
    /// The full reason on one line.
    let reason: String
    /// The reason in one or two words, for a narrow tile.
    let short: String
    /// Advice for the user or the time of the next attempt, or nil if there is nothing to do.
    let advice: String?

    static let cancelled = LoadFailure(
        kind: .cancelled,
        reason: "cancelled",
        short: "cancelled",
        advice: "r loads it"
    )

    /// Creates the failure of an item that can't be loaded because its line in the feed is invalid
    /// or its file was deleted.
    init(of item: FeedItem) {
        self.init(
            item.problem ?? "",
            kind: item.isDeleted ? .cancelled : .failed,
            advice: nil
        )
    }

    /// Creates a failure from the error of a load.
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

    /// Creates the failure of a load that is waiting for its server.
    init(waiting error: ImageLoadingError) {
        let failure = LoadFailure(error)
        self.init(
            kind: failure.kind,
            reason: failure.reason,
            short: failure.short,
            advice: "waiting for the server"
        )
    }

    /// Creates the failure of a folder that can't be read.
    init(unreadableFolder reason: String) { self.init(reason, kind: .failed, advice: Self.retry) }

    private static let retry = "r tries again"

    /// Returns the failure with advice that names the current key for retrying.
    ///
    /// If no key is bound to retrying, the result has no advice.
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

    /// Creates a failure from an error text.
    ///
    /// If the failure was remembered from an earlier load, only its text is known, so the name of
    /// an unsupported format must be extracted from the text.
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
        // The message is shown before the status code.
        self.init(
            kind: kind,
            reason: "\(text.dropFirst(4)) (\(number))",
            short: String(number),
            advice: advice
        )
    }

    /// Returns the format from a string such as "GIF: this build has no decoder for it", or nil for
    /// any other string.
    private static func unsupportedFormat(_ text: String) -> Substring? {
        let end = ": this build has no decoder for it"
        return text.hasSuffix(end) ? text.dropLast(end.count) : nil
    }

    /// Returns a duration in seconds, minutes or hours, rounded up.
    private static func text(forSeconds seconds: Int) -> String {
        switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\((seconds + 59) / 60) min"
        default: "\((seconds &+ 3599) / 3600) h"
        }
    }
}
