import Feeds
import GalleryCore
import ImageLoading
import SystemSupport

extension FetchRun {
    /// The maximum number of loads waiting for their hosts that are not counted as running.
    private static let waitingLimit = 1_000
    /// The maximum number of planned loads that are waiting until their site may be contacted.
    private static let mostVisits = 5_000
    private static let mostPendingWrites = 256

    mutating func startWhatFits() {
        follow(politeness.takeDue(at: .now))
        while hasRoom, mayContinue, let visit = ready.popFirst() { load(visit) }
        while hasRoom, mayTakeMore, mayContinue, let entry = nextEntry() {
            start(entry)
            if nextNumber.isMultiple(of: 64), manager.pendingWriteCount > Self.mostPendingWrites {
                // If the disk is slower than the network, bodies must not accumulate in memory.
                waitFor { [manager] in await manager.flush() }
            }
        }
    }

    /// Whether another load may be started.
    ///
    /// A host that doesn't respond must not prevent images on other hosts from being loaded.
    private var hasRoom: Bool { running - min(waiting, Self.waitingLimit) < window }

    private var mayTakeMore: Bool {
        open.count < Self.mostOpen && open.byteCount < Self.mostOpenBytes
            && politeness.waitingCount < Self.mostVisits
    }

    private mutating func nextEntry() -> ListEntry? {
        if backlog.isEmpty {
            guard !batches.isEmpty else { return nil }
            backlog = batches.removeFirst()
            input.wantMore()
        }
        return backlog.popFirst()
    }

    private mutating func start(_ entry: ListEntry) {
        let key = SampleMaker.key(ofEntry: place)
        place += 1
        guard !done.take(entry.item.url.withoutLogin) else { return output.skip() }
        let number = nextNumber
        nextNumber += 1
        open.add(entry, number)
        if let problem = entry.item.problem {
            return finish(number, FetchReport(unusable: entry.item, problem))
        }
        let fingerprint = Fingerprint.of(entry)
        if let report = known.outcome(of: fingerprint) {
            finish(number, report.again)
        } else if open.join(number, fingerprint) {
            let visit = Visit(entry: entry, number: number, key: key)
            follow(politeness.enter(visit, to: entry.item.url, origin: entry.origin, at: .now))
        }
    }

    // MARK: Visits

    mutating func follow(_ actions: [HostPoliteness<Visit>.Action]) {
        for action in actions {
            switch action {
            case .make(let visit):
                if hasRoom, ready.isEmpty { load(visit) } else { ready.append(visit) }
            case .refuse(let visit, let reason, let mayPass):
                let error = ImageLoadingError(
                    stage: .request,
                    kind: mayPass ? .transient : .policy,
                    reason: .robotsForbidden(reason)
                )
                end(visit.number, picture: FetchedPicture(result: .failure(error)), duration: .zero)
            case .askRobots(let site, let url, let origin):
                let (manager, news) = (manager, news)
                Task(executorPreference: StepExecutor.shared) {
                    news.put(.robots(site: site, await manager.robots(url, origin: origin)))
                }
            }
        }
    }

    private func request(for entry: ListEntry) -> ImageRequest {
        var options = options
        if samples != nil { options.formUnion([.includeBody, .acceptLarger]) }
        if politeness.heedsRobots { options.insert(.heedRobotsTag) }
        var request = entry.item.request(
            targetSize: samples?.targetSize ?? check.targetSize,
            options: options,
            origin: entry.origin
        )
        // The robots.txt rules are known only for the first URL.
        if politeness.heedsRobots { request.alternatives = [] }
        return request
    }

    private mutating func load(_ visit: Visit) {
        running += 1
        let (news, number) = (news, visit.number)
        let begin = ContinuousClock.now
        let isWaiting = Protected(false)
        let samples = samples
        let onEvent: @Sendable (LoadEvent) -> Void = { event in
            let waits = if case .waiting = event { true } else { false }
            let hasChanged = isWaiting.withLock { isWaiting in
                defer { isWaiting = waits }
                return isWaiting != waits
            }
            if hasChanged { news.put(.waits(waits)) }
            guard case .finished(let result) = event else { return }
            let end = begin.duration(to: .now)
            guard let samples, case .success(let response) = result else {
                return news.put(.ended(number, FetchedPicture(result: result), end))
            }
            samples.make(of: response, for: visit.entry, key: visit.key) { made in
                news.put(.ended(number, FetchedPicture(response, made), end))
            }
        }
        let request = request(for: visit.entry)
        if check == .head, samples == nil {
            _ = manager.check(request, onEvent: onEvent)
        } else {
            manager.load(request, onEvent: onEvent)
        }
    }
}
