import ImageLoading
import ImageLoadingTesting
import PropertyRuns
import Testing

@testable import Feeds

/// When the pictures of a long list may be asked for.
@Suite struct HostPolitenessTests {
    private let start = ContinuousClock.now

    private func politeness(
        _ robots: PolitenessPolicy.RobotsUse = .always,
        pause: Duration = .zero,
        patience: Duration = .zero
    ) -> HostPoliteness<Int> {
        var policy = PolitenessPolicy()
        (policy.robots, policy.pause, policy.patience) = (robots, pause, patience)
        return HostPoliteness(policy)
    }

    /// Returns the actions as text.
    private func words(_ actions: [HostPoliteness<Int>.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .make(let visit): "make \(visit)"
            case .refuse(let visit, let reason, let mayPass):
                "refuse \(visit): \(reason)\(mayPass ? ", for now" : "")"
            case .askRobots(_, let url, _): "ask \(url)"
            }
        }
    }

    private func rules(_ lines: String...) -> RobotsAnswer {
        .rules(Array((["User-agent: *"] + lines).joined(separator: "\n").utf8))
    }

    @Test func `a site's rules are requested once, and its images wait for them`() {
        var politeness = politeness()

        let first = politeness.enter(1, to: "http://h/a/1.png", origin: .local, at: start)
        let second = politeness.enter(2, to: "http://h/b/2.png", origin: .local, at: start)
        #expect(words(first) == ["ask http://h/robots.txt"])
        #expect(second.isEmpty && politeness.waitingCount == 2)

        let known = politeness.take(rules("Disallow: /b/"), of: "http://h", at: start)
        #expect(words(known) == ["make 1", "refuse 2: http://h/robots.txt"])
        #expect(politeness.waitingCount == 0)

        let third = politeness.enter(3, to: "http://h/b/3.png", origin: .local, at: start)
        #expect(words(third) == ["refuse 3: http://h/robots.txt"])
    }

    @Test(arguments: [
        "http://h/a/../b/1.png", "http://h/./b/1.png", "http://h//../b/1.png",
        "HTTP://H:80/%2e/b/1", "http://h\\b/1.png",
    ])
    func `the path that is requested is looked up in the rules`(url: String) {
        var politeness = politeness()
        _ = politeness.enter(1, to: url, origin: .local, at: start)

        let known = politeness.take(rules("Disallow: /b/"), of: "http://h", at: start)

        #expect(words(known) == ["refuse 1: http://h/robots.txt"])
    }

    @Test(arguments: [
        ("https://h.example/a/b.c/%2e?d=/../e#/../f", "https://h.example", "/a/b.c/?d=/../e"),
        ("http://h.example", "http://h.example", "/"),
        ("http://h.example?a", "http://h.example", "/?a"),
        ("http://h.example/a.b/..c#d", "http://h.example", "/a.b/..c"),
        ("http://h.example/a/%2E%2e/b", "http://h.example", "/b"),
        ("http://h.example/{a}\u{E9}", "http://h.example", "/%7Ba%7D%C3%A9"),
        ("http://h.example:80/a", "http://h.example", "/a"),
        ("http://me@h.example:8080/a", "http://h.example:8080", "/a"),
        ("http://H.Example/A", "http://h.example", "/A"),
        ("http:////h.example//a", "http://h.example", "//a"),
        ("http://127.1/a", "http://127.0.0.1", "/a"), ("http://a.0x7f/", "http://a.0x7f", "/"),
        ("http://h.example\\..\\a", "http://h.example", "/a"),
    ])
    func `a site and a path are those of the request`(url: String, site: String, path: String) {
        let place = SitePlace.of(url)

        #expect(place.site == site && place.path == path)
    }

    @Test func `ports and schemes are separate sites`() {
        var politeness = politeness()
        let urls = ["http://h/1", "https://h/1", "http://h:8080/1", "http://H/2"]

        let actions = urls.enumerated().flatMap { number, url in
            politeness.enter(number, to: url, origin: .local, at: start)
        }

        #expect(
            words(actions) == [
                "ask http://h/robots.txt", "ask https://h/robots.txt",
                "ask http://h:8080/robots.txt",
            ]
        )
    }

    @Test func `files have no rules`() {
        var politeness = politeness(pause: .seconds(5))

        let actions = (0..<3).flatMap {
            politeness.enter($0, to: "file:///a.png", origin: .local, at: start)
        }

        #expect(words(actions) == ["make 0", "make 1", "make 2"])
    }

    @Test(
        arguments: [
            // sites, entries, whether the next one's rules are asked for
            (1, 5_000, false), (9, 5_000, false), (10, 999, false), (10, 1_000, true),
        ]
    )
    func `without the option, rules apply to long lists of many sites`(
        sites: Int,
        entries: Int,
        asks: Bool
    ) {
        var politeness = politeness(.auto)

        for number in 0..<entries {
            let url = "http://h\(number % sites)/\(number)"
            _ = politeness.enter(number, to: url, origin: .local, at: start)
        }
        let next = politeness.enter(entries, to: "http://h0/next", origin: .local, at: start)

        #expect(words(next) == [asks ? "ask http://h0/robots.txt" : "make \(entries)"])
        #expect(politeness.heedsRobots == asks)
    }

    @Test func `a site that requests a pause gets it, up to a minute`() {
        for (asked, pause) in [("10", 10.0), ("0.5", 0.5), ("86400", 60.0)] {
            var politeness = politeness()
            _ = politeness.enter(1, to: "http://h/1", origin: .local, at: start)
            _ = politeness.enter(2, to: "http://h/2", origin: .local, at: start)
            let known = politeness.take(rules("Crawl-delay: \(asked)"), of: "http://h", at: start)

            #expect(words(known) == ["make 1"])
            #expect(politeness.nextDue == start + .seconds(pause))
            #expect(politeness.takeDue(at: start + .seconds(pause * 0.9)).isEmpty)
            #expect(words(politeness.takeDue(at: start + .seconds(pause))) == ["make 2"])
        }
    }

    @Test func `rules that cannot be read are requested again while the patience lasts`() {
        var politeness = politeness(patience: .seconds(12))
        _ = politeness.enter(1, to: "http://h/1", origin: .local, at: start)

        var asked: [Int] = []
        for second in 0..<30 {
            let now = start + .seconds(second)
            let isAsked = second == 0 || !politeness.takeDue(at: now).isEmpty
            guard isAsked else { continue }
            asked.append(second)
            let actions = politeness.take(.unavailable("503"), of: "http://h", at: now)
            let refusal = "refuse 1: cannot read http://h/robots.txt: 503, for now"
            #expect(words(actions) == (second == 10 ? [refusal] : []))
        }
        #expect(asked == [0, 5, 10])

        // No visit is waiting, and the next visit requests the rules again.
        let later = start + .seconds(60)
        let next = politeness.enter(2, to: "http://h/2", origin: .local, at: later)
        #expect(words(next) == ["ask http://h/robots.txt"])
        #expect(words(politeness.take(.none, of: "http://h", at: later)) == ["make 2"])
    }

    @Test func `memory stays limited, whatever the number of sites and rules`() {
        var politeness = politeness()
        // 40 answers with 500 kB of rules each. Short rules need the most memory for their length,
        // so they are read in the least time.
        let long = rules((0..<8_000).map { "Disallow: /x\($0)" }.joined(separator: "\n"))

        for number in 0..<12_000 {
            _ = politeness.enter(number, to: "http://h\(number)/1", origin: .local, at: start)
            let answer = number % 300 == 0 ? long : .none
            let actions = politeness.take(answer, of: "http://h\(number)", at: start)
            #expect(words(actions) == ["make \(number)"])
        }

        #expect(politeness.siteCount <= 10_000)
        #expect(politeness.byteCount <= 16 << 20)
    }

    @Test func `each visit is returned once, and never two of a site within its pause`() {
        for seed in 0..<PropertyRuns.count(200) {
            var random = SeededGenerator(seed: UInt64(seed))
            var politeness = politeness(
                Bool.random(using: &random) ? .always : .never,
                pause: .seconds(2)
            )
            var now = start
            var (unanswered, out): ([String], Set<Int>) = ([], [])
            var last: [Int: ContinuousClock.Instant] = [:]
            var count = 0
            func follow(_ actions: [HostPoliteness<Int>.Action]) {
                for action in actions {
                    switch action {
                    case .make(let visit):
                        #expect(out.insert(visit).inserted)
                        if let last = last[visit % 4] { #expect(now - last >= .seconds(2)) }
                        last[visit % 4] = now
                    case .refuse(let visit, _, _): #expect(out.insert(visit).inserted)
                    case .askRobots(let site, _, _): unanswered.append(site)
                    }
                }
            }
            for _ in 0..<200 {
                now += .milliseconds(Int.random(in: 0..<900, using: &random))
                follow(politeness.takeDue(at: now))
                if count < 120, Bool.random(using: &random) {
                    let url = "http://h\(count % 4)/\(Bool.random(using: &random) ? "a" : "b")"
                    follow(politeness.enter(count, to: url, origin: .local, at: now))
                    count += 1
                }
                if !unanswered.isEmpty, Bool.random(using: &random) {
                    let answer: RobotsAnswer =
                        Bool.random(using: &random) ? rules("Disallow: /b") : .unavailable("x")
                    follow(politeness.take(answer, of: unanswered.removeFirst(), at: now))
                }
            }
            while politeness.waitingCount > 0 {
                for site in unanswered { follow(politeness.take(.none, of: site, at: now)) }
                unanswered = []
                if let due = politeness.nextDue { now = max(now, due) }
                follow(politeness.takeDue(at: now))
            }
            #expect(out == Set(0..<count))
        }
    }
}
