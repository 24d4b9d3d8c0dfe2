internal import Feeds
internal import ImageLoading

/// Images that change soon according to their servers, such as cameras and charts.
///
/// While such an image is visible, it is requested again at the expected time.
struct ExpectedChanges: Equatable, Sendable {
    /// The intervals by URL, which is stable, unlike item numbers.
    private var times: [String: Duration] = [:]
    /// The URLs whose timer is running.
    private var running: Set<String> = []

    /// The maximum number of URLs, far more than a screen shows; when it is reached, all are
    /// discarded.
    static let limit = 4096
    /// The pause after a server did not answer.
    static let pause = Duration.seconds(30)

    /// Processes an event of a load of this URL, and returns when to request it again.
    mutating func take(_ event: LoadEvent, of url: String?) -> [Effect] {
        guard let url, case .finished(let result) = event else { return [] }
        switch result {
        case .success(let response):
            // An image from memory has no new response of its server.
            if response.source != .memory || response.isNotModified {
                times[url] = response.expectedChange
                if times.count > Self.limit { times = [:] }
            }
            return wait(for: url, isFailing: response.isStale)
        case .failure(let error):
            return error.kind == .cancelled ? [] : wait(for: url, isFailing: true)
        }
    }

    /// Records that the time of a URL is over.
    mutating func end(_ url: String) { running.remove(url) }

    /// Starts the timer of a URL, unless it is running or there is no interval.
    mutating func wait(for url: String, isFailing: Bool = false) -> [Effect] {
        guard let time = times[url], running.insert(url).inserted else { return [] }
        return [.expectChange(url: url, after: isFailing ? max(time, Self.pause) : time)]
    }
}

extension GalleryState {
    /// Requests the image again if it is visible; an image behind an open one is requested later.
    mutating func askAgain(_ url: String) -> [Effect] {
        expectedChanges.end(url)
        guard !isPaused else { return expectedChanges.wait(for: url) }
        guard let detail else { return pool.refreshQuietly { $0.url == url } }
        guard detail.feedItem.url == url else { return expectedChanges.wait(for: url) }
        return refreshDetail()
    }
}
