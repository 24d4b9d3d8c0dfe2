import Decoders
import ImageLoading
import ImageLoadingTesting
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import ImageLoading
@testable import TerminalUI

/// A simulated scroll over 1,000 images, with the real gallery, prefetch plan and download queue,
/// and a simulated server and clock.
///
/// The user scrolls in flings of 50 images per second, with rests of half a second to three
/// seconds.
struct ScrollSimulation {
    /// The compared settings.
    struct Policy {
        var order = DownloaderConfiguration.Order.lastInFirstOut
        var cancels = true
        /// False puts the next screen into the same line as what is visible, at every step.
        var ranksByNeed = true
    }

    private enum Purpose {
        case slot(Int, item: Int)
        case prefetch(PrefetchItem, item: Int)
    }

    static let itemCount = 1000
    private static let rowPause = 120  // six pictures

    private let policy: Policy
    private var gallery: GalleryState
    private var queue: DownloadQueue
    private var plan: PrefetchPlan
    private var server: SlowServer
    private var log = SightLog()
    private var random: SeededGenerator
    private var time = 0
    private var cache: Set<Int> = []
    private var purposes: [ListenerID: Purpose] = [:]
    private var listenerOfSlot: [Int: ListenerID] = [:]
    private var listenerOfPrefetch: [PrefetchItem: ListenerID] = [:]
    private var lastListener: UInt64 = 0
    private var lastToken: UInt64 = 0
    private var nextTick = 0

    init(_ policy: Policy, seed: UInt64 = 1) {
        self.policy = policy
        random = SeededGenerator(seed: seed)
        let items = (0..<Self.itemCount).map { FeedItem(url: "http://h/\($0)") }
        server = SlowServer(urls: items.map(\.url), seed: seed)
        plan = PrefetchPlan(width: policy.ranksByNeed ? 3 : .max)
        var configuration = DownloaderConfiguration()
        configuration.order = policy.order
        queue = DownloadQueue(configuration: configuration)
        gallery = GalleryState(
            capabilities: .plain,
            settings: GallerySettings(tileWidth: 17, prefetches: policy.ranksByNeed)
        )
        send(.resize(ScreenSize(columns: 120, rows: 34)))  // 6 by 4 pictures
        send(.feed(.success(Feed(items: items, title: "scroll"))))
    }

    /// Scrolls through the feed, and returns the results.
    mutating func run() -> ScrollReport {
        pass(4000)
        while gallery.grid.topRow < gallery.grid.layout.lastTopRow {
            fling()
            log.noteArrival(at: time)
            pass(Int.random(in: 500...3000, using: &random))
            log.noteRest(at: time)
        }
        return log.report(of: server)
    }

    private mutating func fling() {
        for _ in 0..<Int.random(in: 4...30, using: &random) {
            pass(Self.rowPause)
            send(.input(.mouse(.wheelDown)))
        }
    }

    // MARK: Time

    private mutating func pass(_ milliseconds: Int) {
        let end = time + milliseconds
        while time < end {
            time += 10
            while let id = server.takeComplete(at: time) { deliver(id) }
            guard time >= nextTick, gallery.needsTicks else { continue }
            nextTick = time + 100
            send(.tick)
        }
    }

    private mutating func deliver(_ id: TransferID) {
        perform(queue.receive([.head(TransferHead(status: 200, expectedByteCount: 1))], of: id))
        perform(queue.receive([.chunk([1])], of: id))
        perform(queue.receive([.finished(nil)], of: id))
    }

    // MARK: Requests of the gallery

    private mutating func send(_ message: Message) {
        for effect in gallery.update(message) { perform(effect) }
        guard log.note(visible: gallery.visiblePositions, at: time), !policy.ranksByNeed else {
            return
        }
        let next = gallery.visiblePositions.upperBound
        let soon = Array(next..<min(next + gallery.visiblePositions.count, Self.itemCount))
        prefetch(PrefetchRequest(soon: soon, later: [], targetSize: gallery.targetSize))
    }

    private mutating func perform(_ effect: Effect) {
        switch effect {
        case .bind(let slot, let item, _, _, _): bind(slot, to: item)
        case .unbind(let slot): leave(listenerOfSlot.removeValue(forKey: slot))
        case .prefetch(.load(let request)): prefetch(request)
        case .prefetch(.pause): perform(plan.setPaused(true))
        case .prefetch(.resume): perform(plan.setPaused(false))
        default: break
        }
    }

    private mutating func bind(_ slot: Int, to item: Int) {
        leave(listenerOfSlot.removeValue(forKey: slot))
        guard !cache.contains(item) else { return show(item, in: slot) }
        listenerOfSlot[slot] = join(item, .high, .slot(slot, item: item))
    }

    private mutating func show(_ item: Int, in slot: Int) {
        log.noteSeen(item, at: time)
        send(.slot(slot, .image(.plain(1, 1), .network)))
    }

    private mutating func prefetch(_ request: PrefetchRequest?) {
        guard let request else { return perform(plan.cancelAll()) }
        lastToken += 1
        let soon = request.soon.map { ImageRequest(url: "\($0)", priority: .normal) }
        let later = request.later.map { ImageRequest(url: "\($0)", priority: .low) }
        let options = PrefetchOptions(highestPriority: .normal, replacesEarlierLists: true)
        perform(plan.add(PrefetchListID(number: lastToken), soon + later, options))
    }

    private mutating func perform(_ actions: [PrefetchPlan.Action]) {
        for action in actions {
            switch action {
            case .start(let prefetched, let request, _): start(prefetched, request)
            case .cancel(let prefetched): leave(listenerOfPrefetch.removeValue(forKey: prefetched))
            case .setPriority, .tell: break
            }
        }
    }

    private mutating func start(_ prefetched: PrefetchItem, _ request: ImageRequest) {
        let item = Int(request.url) ?? 0
        guard !cache.contains(item) else {
            return perform(plan.finish(prefetched, .loaded(.memory)))
        }
        listenerOfPrefetch[prefetched] = join(
            item,
            request.priority,
            .prefetch(prefetched, item: item)
        )
    }

    // MARK: The queue

    private mutating func join(
        _ item: Int,
        _ priority: LoadPriority,
        _ purpose: Purpose
    ) -> ListenerID {
        lastListener += 1
        let id = ListenerID(rawValue: lastListener)
        purposes[id] = purpose
        let request = DownloadRequest(url: "http://h/\(item)")
        perform(queue.enqueue(id, request, priority: policy.ranksByNeed ? priority : .normal))
        return id
    }

    private mutating func leave(_ listener: ListenerID?) {
        guard policy.cancels, let listener else { return }
        purposes[listener] = nil
        perform(queue.leave(listener))
    }

    private mutating func perform(_ actions: [DownloadAction]) {
        for action in actions {
            switch action {
            case .start(let request): server.start(request, at: time)
            case .cancel(let id): server.cancel(id, at: time)
            case .finish(let listener, .success(let body)): finish(listener, body)
            default: break
            }
        }
    }

    private mutating func finish(_ listener: ListenerID, _ body: DownloadedBody) {
        guard let purpose = purposes.removeValue(forKey: listener) else { return }
        switch purpose {
        case .slot(let slot, let item):
            cache.insert(item)
            guard listenerOfSlot[slot] == listener else { return }  // it shows another one now
            listenerOfSlot[slot] = nil
            show(item, in: slot)
        case .prefetch(let prefetched, let item):
            cache.insert(item)
            listenerOfPrefetch[prefetched] = nil
            perform(plan.finish(prefetched, .loaded(.network)))
        }
    }
}
