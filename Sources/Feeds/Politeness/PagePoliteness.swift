import ImageLoading

/// Schedules requests for the pages of feeds.
///
/// No page is read twice, and the number of pages is limited. The rules of each site (`robots.txt`)
/// are followed, with a pause between two pages of a site.
package struct PagePoliteness: Sendable {
    /// The next step for a page.
    ///
    /// After requesting rules or waiting, the caller calls `step` again.
    package enum Step: Equatable, Sendable {
        /// Read the rules of the site.
        case askRobots(String)
        /// Wait before the next request to the site.
        case wait(Duration)
        /// Read the page; from now on, the page counts as visited.
        case read
        /// Do not read the page; the text is the reason, which follows the name of the feed in the
        /// message.
        case refuse(String)
    }

    private struct Site {
        /// The rules, or nil if the rules cannot be read.
        var rules: RobotsRules?
        var lastVisit: ContinuousClock.Instant?
    }

    /// The maximum number of pages of a feed; pages may link to each other endlessly.
    package static let mostPages = 200
    /// The minimum pause between two pages of a site.
    package static let pause = Duration.seconds(1)
    /// The maximum pause between two pages of a site, even if its rules request a longer pause.
    package static let longestPause = Duration.seconds(60)

    private var sites: [String: Site] = [:]
    /// The URLs of each feed's visited pages, keyed by the URL of its first page.
    private var visited: [String: Set<String>] = [:]

    package init() {}

    /// Returns the next step for a page.
    package mutating func step(to page: FeedPage, at now: ContinuousClock.Instant) -> Step {
        // Reading a feed again starts from its first page.
        if page.number <= 1 { visited[page.start] = [page.start] }
        guard page.number < Self.mostPages else {
            return .refuse("only the first \(Self.mostPages) pages are read")
        }
        guard visited[page.start]?.contains(page.url) != true else {
            return .refuse("the link to the next page leads back to an earlier page")
        }
        let (name, path) = SitePlace.of(page.url)
        guard let site = sites[name] else { return .askRobots("\(name)/robots.txt") }
        guard let rules = site.rules else {
            return .refuse("the next page was not read because \(name)/robots.txt cannot be read")
        }
        guard rules.allows(path) else {
            return .refuse("\(name)/robots.txt forbids the next page")
        }
        let pause = max(Self.pause, min(.seconds(rules.delay ?? 0), Self.longestPause))
        if let last = site.lastVisit, now - last < pause { return .wait(pause - (now - last)) }
        sites[name]?.lastVisit = now
        visited[page.start, default: []].insert(page.url)
        return .read
    }

    /// Sets the rules of a page's site.
    package mutating func take(_ answer: RobotsAnswer, for page: FeedPage) {
        let rules = answer.rules(for: RobotsAnswer.program)
        sites[SitePlace.of(page.url).site, default: Site()].rules = rules
    }
}
