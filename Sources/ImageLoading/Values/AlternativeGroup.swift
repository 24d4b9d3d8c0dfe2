import SystemSupport

/// A group of requests whose URLs and alternatives were derived in the same way.
///
/// For example, a feed has one group for its relative image URLs if their base URL is uncertain.
///
/// All URLs at one position have the same base. A request in a group tries its next URL only if the
/// previous URL is not an image. After the first image has loaded, the positions of its URL are
/// known to work, and the group requests no other positions.
///
/// All groups are equal, because a group is not part of a request's value.
package final class AlternativeGroup: Hashable, Sendable {
    /// The positions that work, one bit each; nil before the first image has loaded.
    private let working = Protected<UInt64?>(nil)

    package init() {}

    /// Returns whether the URL at a position may be requested; position 0 is `ImageRequest.url`.
    package func mayWork(_ position: Int) -> Bool {
        working.withLock { $0.map { $0 & 1 << UInt64(position) != 0 } ?? true }
    }

    /// Records that the URL at `positions` has loaded; several positions may have the same URL.
    package func note(working positions: [Int]) {
        let bits = positions.reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
        working.withLock { present in
            let both = (present ?? .max) & bits
            if both != 0 { present = both }
        }
    }

    package static func == (left: AlternativeGroup, right: AlternativeGroup) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}

extension ImageRequest {
    /// Returns the position of the next URL to try after the URL at `position` failed; nil if no
    /// URL remains.
    ///
    /// Position 0 is `url`, and position 1 is the first alternative. URLs that have already been
    /// tried are skipped.
    func position(after position: Int, error: ImageLoadingError) -> Int? {
        guard position < alternatives.count else { return nil }
        if alternativeGroup != nil, !error.meansNoImage { return nil }
        return (position + 1...alternatives.count).first { next in
            let url = alternatives[next - 1]
            return url != self.url && !alternatives[..<(next - 1)].contains(url)
                && alternativeGroup?.mayWork(next) ?? true
        }
    }

    /// Records that the URL at `position` has loaded, for the other requests of the group.
    func noteWorking(_ position: Int) {
        guard let alternativeGroup, position <= alternatives.count else { return }
        let urls = [url] + alternatives
        alternativeGroup.note(working: urls.indices.filter { urls[$0] == urls[position] })
    }
}

extension ImageLoadingError {
    /// Whether the error means that there is no image at the URL, rather than no response.
    ///
    /// This includes a URL that must not be requested at all.
    var meansNoImage: Bool {
        switch reason {
        case .httpStatus(404), .httpStatus(410), .emptyBody, .privateAddress, .forbiddenScheme,
            .invalidURL, .notCached, .unreadableFile:
            true
        case .remembered: kind == .permanent
        default: rejectsContent
        }
    }
}
