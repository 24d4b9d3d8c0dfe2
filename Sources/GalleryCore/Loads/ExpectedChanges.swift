internal import Feeds
internal import ImageLoading

/// A schedule for reloading images that change regularly according to their servers, such as webcam
/// images.
///
/// While such an image is visible, it is requested again at the expected time.
struct ExpectedChanges: Equatable, Sendable {
    /// The intervals after which images are expected to change, keyed by URL.
    ///
    /// Item numbers are not used as keys, because they change when the feed is reloaded.
    private var times: [String: Duration] = [:]
    /// The URLs whose timers are running.
    private var running: Set<String> = []

    /// The maximum number of URLs, which is far more than a screen shows.
    ///
    /// If it is exceeded, all URLs are removed.
    static let limit = 4096
    /// The minimum pause before an image is requested again after its server failed to respond.
    static let pause = Duration.seconds(30)

    /// Handles an event from the load of `url`.
    ///
    /// Returns an effect that requests the image again later.
    mutating func take(_ event: LoadEvent, of url: String?) -> [Effect] {
        guard let url, case .finished(let result) = event else { return [] }
        switch result {
        case .success(let response):
            // An image from the memory cache has no new server response.
            if response.source != .memory || response.isNotModified {
                times[url] = response.expectedChange
                if times.count > Self.limit { times = [:] }
            }
            return wait(for: url, isFailing: response.isStale)
        case .failure(let error):
            return error.kind == .cancelled ? [] : wait(for: url, isFailing: true)
        }
    }

    /// Records that a URL's timer has expired.
    mutating func end(_ url: String) { running.remove(url) }

    /// Starts a URL's timer, unless the timer is running or no change is expected.
    ///
    /// If `isFailing` is true, the timer runs for at least `pause`.
    mutating func wait(for url: String, isFailing: Bool = false) -> [Effect] {
        guard let time = times[url], running.insert(url).inserted else { return [] }
        return [.expectChange(url: url, after: isFailing ? max(time, Self.pause) : time)]
    }
}
