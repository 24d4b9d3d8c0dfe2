internal import ImageLoading

/// Pictures whose servers say that they change soon: cameras, charts.
///
/// Each is asked about when its time has come, and then anew, for as long as it is on the screen.
struct ExpectedChanges: Equatable, Sendable {
    /// By address, so that it stays true whatever number an item has.
    private var times: [String: Duration] = [:]
    /// Those whose time runs.
    private var running: Set<String> = []

    /// Far more than a screen shows; beyond it what is known is forgotten.
    static let limit = 4096
    /// After a server that didn't answer.
    static let pause = Duration.seconds(30)

    /// Takes an event of a load of this address; returns when to ask again.
    mutating func take(_ event: LoadEvent, of url: String?) -> [Effect] {
        guard let url, case .finished(let result) = event else { return [] }
        switch result {
        case .success(let response):
            // An image that was in memory comes without a word of its server.
            if response.source != .memory || response.isNotModified {
                times[url] = response.expectedChange
                if times.count > Self.limit { times = [:] }
            }
            return wait(for: url, isFailing: response.isStale)
        case .failure(let error):
            return error.kind == .cancelled ? [] : wait(for: url, isFailing: true)
        }
    }

    /// The time of this address is over.
    mutating func end(_ url: String) { running.remove(url) }

    /// Counts the time of an address, unless it is counted, or none is known.
    mutating func wait(for url: String, isFailing: Bool = false) -> [Effect] {
        guard let time = times[url], running.insert(url).inserted else { return [] }
        return [.expectChange(url: url, after: isFailing ? max(time, Self.pause) : time)]
    }
}

extension GalleryState {
    /// Asks whether the picture has changed, if it is on the screen; behind an open one later.
    mutating func askAgain(_ url: String) -> [Effect] {
        expectedChanges.end(url)
        guard !isPaused else { return expectedChanges.wait(for: url) }
        guard let detail else { return pool.refreshQuietly { $0.url == url } }
        guard detail.feedItem.url == url else { return expectedChanges.wait(for: url) }
        return refreshDetail()
    }
}
