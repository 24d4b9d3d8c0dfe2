internal import FeedDocuments
internal import ImageLoading

/// How the pages of feeds are visited: no page twice, so many at most, by the rules of each site
/// (`robots.txt`), and with a pause between two.
public struct PageVisits: Sendable {
    /// What is to be done before a page is there; then the question is asked again.
    public enum Step: Equatable, Sendable {
        /// Read the site's rules.
        case askRobots(String)
        /// Leave the site alone for so long.
        case wait(Duration)
        /// Read the page, which counts as visited from now on.
        case read
        /// Don't; why finishes "NAME: …".
        case refuse(String)
    }

    private struct Site {
        /// Nil if they can't be had.
        var rules: RobotsRules?
        var lastVisit: ContinuousClock.Instant?
    }

    /// A feed that goes on for longer is one of which every page names another.
    public static let mostPages = 200
    /// The pause for a site that asks for none.
    public static let pause = Duration.seconds(1)
    /// A site that asks for more gets this.
    public static let longestPause = Duration.seconds(60)

    private var sites: [String: Site] = [:]
    /// Of each feed, by its first page.
    private var visited: [String: Set<String>] = [:]

    /// Makes the visits of a program that has made none.
    public init() {}

    /// What is to be done for a page at a time.
    public mutating func step(to page: FeedPage, at now: ContinuousClock.Instant) -> Step {
        // A feed that is read again begins anew.
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

    /// Takes the rules of a page's site.
    public mutating func take(_ answer: RobotsAnswer, for page: FeedPage) {
        let rules = answer.rules(for: RobotsAnswer.program)
        sites[SitePlace.of(page.url).site, default: Site()].rules = rules
    }
}
