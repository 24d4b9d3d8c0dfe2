import Feeds
import GalleryCore
import ImageLoading
import SystemSupport

/// An image to compare.
struct ComparedImage: Equatable, Sendable {
    /// The name in the output, by which images are paired: the path relative to the folder or
    /// archive.
    ///
    /// The name is encoded by `FileText`.
    var name: String
    let item: FeedItem
    let origin: RequestOrigin
}

/// Two images to compare, or one image without a counterpart.
struct ComparedPair: Equatable, Sendable {
    /// The name in the output, encoded by `FileText`.
    let name: String
    var first: ComparedImage?
    var second: ComparedImage?
}

extension ComparedPair {
    /// Pairs the images that have the same name, in natural order of the names.
    static func byName(_ first: [ComparedImage], _ second: [ComparedImage]) -> [ComparedPair] {
        // The keys are bytes, because strings with differently composed accents are equal.
        var pairs: [[UInt8]: ComparedPair] = [:]
        for image in first {
            pairs[image.key, default: ComparedPair(name: image.name)].first = image
        }
        for image in second {
            pairs[image.key, default: ComparedPair(name: image.name)].second = image
        }
        let sorted = pairs.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
        return NaturalOrder.indices(of: sorted.map(\.name)).map { sorted[$0] }
    }

    /// Pairs images such as `x-expected.png` and `x-actual.png`, the names in Playwright's reports.
    ///
    /// The pair has the name `x.png`. All other images are ignored.
    static func expectedAndActual(_ images: [ComparedImage]) -> [ComparedPair] {
        byName(
            images.compactMap { $0.removing("-expected") },
            images.compactMap { $0.removing("-actual") }
        )
    }

    /// Pairs two images that were named individually.
    ///
    /// If their file names differ, the pair has both names.
    static func of(_ first: ComparedImage?, _ second: ComparedImage?) -> ComparedPair {
        let names = [first?.name, second?.name].compactMap(\.self)
        let name = names.first == names.last ? names[0] : names.joined(separator: " → ")
        return ComparedPair(name: name, first: first, second: second)
    }
}

extension ComparedImage {
    fileprivate var key: [UInt8] { FileText.bytes(of: name) }

    /// Returns the image with `ending` removed from its name, before the suffix of the file.
    ///
    /// Returns nil if the name doesn't have this ending.
    fileprivate func removing(_ ending: String) -> ComparedImage? {
        guard let dot = name.lastIndex(of: "."), name[..<dot].hasSuffix(ending) else { return nil }
        var image = self
        image.name = String(name[..<dot].dropLast(ending.count) + name[dot...])
        return image
    }
}
