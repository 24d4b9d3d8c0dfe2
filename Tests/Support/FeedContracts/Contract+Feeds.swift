public import DecoderContracts
internal import Feeds
import ImageLoading
internal import TerminalUI

extension Contract {
    /// Any bytes are a feed or an error that names it; whatever a line holds, the item is fit to be
    /// asked for and its caption to be shown, and a feed from the network reaches nothing local.
    public static let feeds = Contract("Feeds") { (bytes) throws(BrokenContract) in
        try check(bytes, .directory("/pictures"), .local)
        try check(bytes, .url("http://host.example/a/feed.txt?b#c"), .remoteFeed)
        for name in ["feed.csv", "feed.jsonl"] { try check(bytes, .directory("/"), .local, name) }
    }

    /// The maximum number of items of a feed that are checked individually.
    private static let maximumItemCount = 200

    private static func check(
        _ bytes: [UInt8],
        _ base: FeedBase,
        _ origin: RequestOrigin,
        _ name: String = "feed"
    ) throws(BrokenContract) {
        let feed: Feed
        do throws(FeedError) {
            feed = try Feed(parsing: bytes, title: name, base: base, origin: origin)
        } catch {
            return try check("\(error)", isNamed: "feed")
        }
        // An array has its elements on a line.
        try require(feed.count > 0 && feed.count <= bytes.count, "\(feed.count) items")
        for index in 0..<min(feed.count, maximumItemCount) {
            try check(feed[index], origin)
        }
    }

    private static func check(_ text: String, isNamed name: String) throws(BrokenContract) {
        try require(
            text.hasPrefix(name) && isPrintable(text),
            "the error is \(text.debugDescription)"
        )
    }

    private static func check(_ item: FeedItem, _ origin: RequestOrigin) throws(BrokenContract) {
        for symbols in SymbolSet.allCases {
            for graphemeClusters in [false, true] {
                let caption = FrameText.caption(
                    item.caption,
                    limit: 30,
                    symbols: symbols,
                    graphemeClusters: graphemeClusters
                )
                try require(
                    caption.width <= 30 && isPrintable(caption.text, sequences: graphemeClusters),
                    "caption \(caption.text.debugDescription)"
                )
            }
        }
        if item.problem == nil { try check(url: item.url, origin) }
    }

    private static func check(url: String, _ origin: RequestOrigin) throws(BrokenContract) {
        let schemes = ["http", "https", "data"] + (origin.isRemote ? [] : ["file"])
        let bytes = Array(url.utf8)
        let scheme = String(decoding: bytes.prefix { $0 != 0x3A }, as: UTF8.self).lowercased()
        try require(schemes.contains(scheme), "\(url.debugDescription) from \(origin)")
        let rest = bytes.dropFirst(scheme.utf8.count + 1)
        if scheme.hasPrefix("http") {
            try require(rest.starts(with: "//".utf8), "no host in \(url.debugDescription)")
        }
        // A `data:` URL is taken as it is written.
        let isUsable =
            scheme == "data"
            ? url.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            : bytes.allSatisfy { (0x21...0x7E).contains($0) }
        try require(isUsable, "URL \(url.debugDescription)")
    }

    /// Whether a terminal takes it for text and nothing else.
    ///
    /// Joiners stand after a virama, and in emoji sequences, where the tags of regions may be too.
    private static func isPrintable(_ text: String, sequences: Bool = false) -> Bool {
        var last: Unicode.Scalar = " "
        return text.unicodeScalars.allSatisfy { scalar in
            defer { last = scalar }
            switch scalar.properties.generalCategory {
            case .format where (0x200C...0x200D).contains(scalar.value):
                return sequences || last.properties.canonicalCombiningClass == .virama
            case .format where (0xE0020...0xE007F).contains(scalar.value):
                return sequences
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return false
            default: return true
            }
        }
    }
}
