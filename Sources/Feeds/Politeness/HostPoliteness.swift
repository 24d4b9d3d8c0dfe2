internal import DequeModule
internal import HeapModule
package import ImageLoading

/// Schedules requests for the images of a long list, following each site's rules (`robots.txt`) and
/// pausing between two requests to a site.
///
/// A visit is the caller's description of a request for an image. The type is a bounded table
/// without side effects. Visits that are not due are stored here and returned when they are due.
/// Retries are scheduled elsewhere, with their own pauses.
package struct HostPoliteness<Visit: Sendable>: Sendable {
    /// An action that the caller must perform.
    package enum Action: Sendable {
        /// Request the image.
        case make(Visit)
        /// Do not request the image because of `reason`.
        ///
        /// `mayPass` is true if the reason is temporary.
        case refuse(Visit, reason: String, mayPass: Bool)
        /// Read a site's rules from a URL and pass them to `take`.
        case askRobots(site: String, url: String, origin: RequestOrigin)
    }

    private enum Rules {
        /// The rules have not been requested.
        case unknown
        case asking
        case known(RobotsRules)
        /// The reason the rules cannot be read, and the earliest time of the next attempt.
        case unavailable(String, until: ContinuousClock.Instant)
    }

    private struct Site {
        let origin: RequestOrigin
        var rules = Rules.unknown
        /// The earliest time of the next request.
        var next: ContinuousClock.Instant
        /// The time of the first failed attempt to read the rules, or nil if no attempt has failed
        /// since the last success.
        var failingSince: ContinuousClock.Instant?
        var waiting = Deque<(visit: Visit, path: String)>()

        /// Returns whether the site can be discarded, because it has no stored visits and may be
        /// contacted now.
        func isIdle(at now: ContinuousClock.Instant) -> Bool { waiting.isEmpty && next <= now }

        var byteCount: Int {
            if case .known(let rules) = rules { rules.byteCount } else { 0 }
        }
    }

    private struct Due: Comparable {
        let time: ContinuousClock.Instant
        let site: String

        static func < (left: Due, right: Due) -> Bool {
            (left.time, left.site) < (right.time, right.site)
        }
    }

    private let policy: PolitenessPolicy
    private var sites: [String: Site] = [:]
    /// The approximate memory used by all rules, in bytes.
    package private(set) var byteCount = 0
    private var agenda = Heap<Due>()
    private var firstSites: Set<String> = []
    /// The site most recently added to or found in `firstSites`, with a trailing slash.
    ///
    /// The initial "-" matches no URL.
    private var lastSite = "-"
    private var entryCount = 0
    /// The number of visits that are stored until they are due.
    package private(set) var waitingCount = 0

    package init(_ policy: PolitenessPolicy = PolitenessPolicy()) {
        self.policy = policy
    }

    /// Whether the rules of sites are currently followed.
    package var heedsRobots: Bool {
        switch policy.robots {
        case .always: true
        case .never: false
        case .auto:
            entryCount > PolitenessPolicy.longList && firstSites.count >= PolitenessPolicy.manySites
        }
    }

    /// The time at which `takeDue` must be called next, or nil if nothing is scheduled.
    package var nextDue: ContinuousClock.Instant? { agenda.min?.time }

    package var siteCount: Int { sites.count }

    // MARK: Input

    /// Adds a visit to a URL from `origin` and returns the actions to perform.
    ///
    /// If the actions do not include the visit, it is stored until it is due.
    package mutating func enter(
        _ visit: Visit,
        to url: String,
        origin: RequestOrigin,
        at now: ContinuousClock.Instant
    ) -> [Action] {
        entryCount += 1
        guard url.utf8.prefix(4).elementsEqual("http".utf8, by: { $0 | 0x20 == $1 }),
            policy.isOfEffect
        else { return [.make(visit)] }
        noteSite(of: url)
        guard heedsRobots || policy.pause > .zero else { return [.make(visit)] }
        let (name, path) = SitePlace.of(url)
        if sites[name] == nil {
            makeRoom(at: now)
            sites[name] = Site(origin: origin, next: now)
        }
        return settle(visit, path: path, name: name, at: now)
    }

    /// Adds the site of a URL to `firstSites`, which contains at most `PolitenessPolicy.manySites`
    /// sites.
    ///
    /// Most lists have long runs of URLs from the same site, so most URLs need only one comparison.
    private mutating func noteSite(of url: String) {
        guard firstSites.count < PolitenessPolicy.manySites, !url.utf8.starts(with: lastSite.utf8)
        else {
            return
        }
        let site = SitePlace.of(url).site
        lastSite = site + "/"
        firstSites.insert(site)
    }

    /// Sets the rules of a site and returns the actions for its stored visits.
    ///
    /// Returns no actions if the rules must be requested again.
    package mutating func take(
        _ answer: RobotsAnswer,
        of name: String,
        at now: ContinuousClock.Instant
    ) -> [Action] {
        guard case .asking = sites[name]?.rules else { return [] }
        let rules = rules(answer, name, at: now)
        if case .asking = rules { return [] }
        sites[name]?.rules = rules
        byteCount += sites[name]?.byteCount ?? 0
        return releaseAll(of: name, at: now)
    }

    /// Returns the actions that are due.
    package mutating func takeDue(at now: ContinuousClock.Instant) -> [Action] {
        var actions: [Action] = []
        while let due = agenda.min, due.time <= now {
            _ = agenda.popMin()
            guard let site = sites[due.site] else { continue }
            if case .asking = site.rules {
                // While a site's rules are being requested, the site is due only if an earlier
                // request for them failed.
                if site.failingSince != nil { actions.append(ask(due.site, site.origin)) }
                continue
            }
            // An entry with a different time than the site's next visit has been replaced by a
            // later entry.
            guard due.time == site.next, let visit = sites[due.site]?.waiting.popFirst()?.visit
            else { continue }
            waitingCount -= 1
            actions.append(.make(visit))
            let next = now + pause(of: due.site)
            sites[due.site]?.next = next
            if sites[due.site]?.waiting.isEmpty == false {
                agenda.insert(Due(time: next, site: due.site))
            }
        }
        return actions
    }

    // MARK: Deciding

    private mutating func settle(
        _ visit: Visit,
        path: String,
        name: String,
        at now: ContinuousClock.Instant
    ) -> [Action] {
        guard let site = sites[name] else { return [.make(visit)] }
        switch site.rules {
        case .unavailable(let reason, let end) where end > now:
            return [.refuse(visit, reason: reason, mayPass: true)]
        case .asking:
            keep(visit, path: path, name: name)
            return []
        case .unknown where heedsRobots, .unavailable:
            keep(visit, path: path, name: name)
            sites[name]?.rules = .asking
            return [ask(name, site.origin)]
        case .known(let rules) where !rules.allows(path):
            let reason = "\(name)/robots.txt"
            return [.refuse(visit, reason: reason, mayPass: false)]
        case .unknown, .known:
            return paced(visit, path: path, name: name, at: now)
        }
    }

    /// Returns the action for a visit, or stores the visit if its site must not be contacted yet.
    private mutating func paced(
        _ visit: Visit,
        path: String,
        name: String,
        at now: ContinuousClock.Instant
    ) -> [Action] {
        let pause = pause(of: name)
        guard pause > .zero, let site = sites[name] else { return [.make(visit)] }
        guard site.isIdle(at: now) else {
            if site.waiting.isEmpty { agenda.insert(Due(time: site.next, site: name)) }
            keep(visit, path: path, name: name)
            return []
        }
        sites[name]?.next = now + pause
        return [.make(visit)]
    }

    private func pause(of name: String) -> Duration {
        guard case .known(let rules) = sites[name]?.rules, let delay = rules.delay else {
            return policy.pause
        }
        return max(policy.pause, .seconds(min(delay, PolitenessPolicy.longestDelay)))
    }

    /// Returns the new state of a site's rules after a response: `asking` if the rules must be
    /// requested again.
    private mutating func rules(
        _ answer: RobotsAnswer,
        _ name: String,
        at now: ContinuousClock.Instant
    ) -> Rules {
        if case .unavailable(let reason) = answer {
            let start = sites[name]?.failingSince ?? now
            sites[name]?.failingSince = start
            let next = now + PolitenessPolicy.robotsPause
            if next < start + policy.patience {
                agenda.insert(Due(time: next, site: name))
                return .asking
            }
            return .unavailable("cannot read \(name)/robots.txt: \(reason)", until: next)
        }
        sites[name]?.failingSince = nil
        guard let rules = answer.rules(for: policy.program),
            byteCount + rules.byteCount <= PolitenessPolicy.mostBytes
        else {
            let end = now + PolitenessPolicy.robotsPause
            return .unavailable("\(name)/robots.txt is too large", until: end)
        }
        return .known(rules)
    }

    // MARK: Keeping

    private mutating func releaseAll(
        of name: String,
        at now: ContinuousClock.Instant
    ) -> [Action] {
        let visits = sites[name]?.waiting ?? []
        sites[name]?.waiting = []
        waitingCount -= visits.count
        return visits.flatMap { settle($0.visit, path: $0.path, name: name, at: now) }
    }

    private mutating func keep(_ visit: Visit, path: String, name: String) {
        sites[name]?.waiting.append((visit, path))
        waitingCount += 1
    }

    private func ask(_ name: String, _ origin: RequestOrigin) -> Action {
        .askRobots(site: name, url: "\(name)/robots.txt", origin: origin)
    }

    /// Discards idle sites if there are at least `PolitenessPolicy.mostSites` sites, or if the
    /// rules use at least half of `PolitenessPolicy.mostBytes`.
    private mutating func makeRoom(at now: ContinuousClock.Instant) {
        let isFull =
            sites.count >= PolitenessPolicy.mostSites || byteCount >= PolitenessPolicy.mostBytes / 2
        guard isFull else { return }
        sites = sites.filter { !$0.value.isIdle(at: now) }
        byteCount = sites.values.reduce(0) { $0 + $1.byteCount }
    }
}
