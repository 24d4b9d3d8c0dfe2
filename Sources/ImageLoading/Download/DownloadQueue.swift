/// Decides which download runs, who shares it, and when it stops.
///
/// A pure state machine: each method returns what is to be done, and does nothing itself. Every
/// wish is a listener; listeners with an equal key share one transfer. Whether to join or to begin
/// is decided in the same step that changes the state, so there is no moment in which a listener
/// could join a transfer that is being torn down (rows F1, F2). Each listener gets exactly one
/// `finish`, also when it leaves (row F4).
struct DownloadQueue {
    /// One transfer from the first wish to its end.
    ///
    /// It waits while `waiting` contains its identifier, and runs while `receptions` does; there is
    /// nothing third.
    private struct Transfer {
        let key: DownloadKey
        let request: TransferRequest
        let host: String
        var listeners = ListenerSet()
    }

    private let configuration: DownloaderConfiguration
    private var width: Int
    private var isSuspended = false
    private var transfers: [TransferID: Transfer] = [:]
    private var waiting: ReadyList
    private var receptions: [TransferID: Reception] = [:]
    private var hostSlots: HostSlots
    private var transferOfKey: [DownloadKey: TransferID] = [:]
    private var transferOfListener: [ListenerID: TransferID] = [:]
    private var counters = DownloaderStatistics()

    init(configuration: DownloaderConfiguration) {
        self.configuration = configuration
        width = max(1, configuration.maximumConcurrentTransfers)
        waiting = ReadyList(order: configuration.order)
        hostSlots = HostSlots(limit: configuration.maximumTransfersPerHost)
    }

    var statistics: DownloaderStatistics {
        var snapshot = counters
        snapshot.live = receptions.count
        snapshot.queued = waiting.count
        return snapshot
    }

    // MARK: Listeners

    /// Takes a listener in, which has a fresh identifier.
    mutating func enqueue(
        _ listener: ListenerID,
        _ request: DownloadRequest,
        priority: LoadPriority
    ) -> [DownloadAction] {
        precondition(transferOfListener[listener] == nil, "a listener joins once")
        let key = DownloadKey(request)
        let isJoining = transferOfKey[key] != nil
        let id = transferOfKey[key] ?? begin(key, request, priority)
        transfers[id]?.listeners.set(priority, of: listener)
        transferOfListener[listener] = id
        if isJoining {
            counters.coalesced += 1
            waiting.renew(id)
            settlePriority(of: id)
        }
        return [.notify(listener, state(of: id))] + startReady()
    }

    /// Takes a listener out.
    ///
    /// The last one out stops the transfer. Unknown ones are ignored: they ended a moment ago.
    mutating func leave(_ listener: ListenerID) -> [DownloadAction] {
        guard let id = transferOfListener.removeValue(forKey: listener) else { return [] }
        let end = DownloadAction.finish(listener, .failure(.cancelled))
        transfers[id]?.listeners.remove(listener)
        guard let transfer = transfers[id], transfer.listeners.isEmpty else {
            settlePriority(of: id)
            return [end]
        }
        return [end] + abandon(id) + startReady()
    }

    /// Changes how urgently one listener waits (row F24).
    ///
    /// Running transfers are not touched.
    mutating func setPriority(_ priority: LoadPriority, of listener: ListenerID) {
        guard let id = transferOfListener[listener] else { return }
        transfers[id]?.listeners.set(priority, of: listener)
        settlePriority(of: id)
    }

    // MARK: The whole queue

    /// Changes how many transfers run at once; those that run go on (row D21).
    mutating func setWidth(_ newWidth: Int) -> [DownloadAction] {
        width = max(1, newWidth)
        return startReady()
    }

    /// Holds back or lets go what waits; what runs goes on (row D22).
    mutating func setSuspended(_ newValue: Bool) -> [DownloadAction] {
        isSuspended = newValue
        return startReady()
    }

    /// Ends everything that runs or waits.
    mutating func cancelAll() -> [DownloadAction] {
        let listeners = transferOfListener.keys.sorted { $0.rawValue < $1.rawValue }
        let running = receptions.keys.sorted { $0.rawValue < $1.rawValue }
        transferOfListener = [:]
        waiting = ReadyList(order: configuration.order)
        let cancels = running.flatMap { abandon($0) }
        transfers = [:]
        transferOfKey = [:]
        return listeners.map { .finish($0, .failure(.cancelled)) } + cancels
    }

    // MARK: The transport's word

    /// Takes in what a transfer reports.
    ///
    /// Late events of a transfer that was given up are ignored.
    mutating func receive(_ event: TransferEvent, of id: TransferID) -> [DownloadAction] {
        guard receptions[id] != nil, let request = transfers[id]?.request else { return [] }
        switch event {
        case .head(let head):
            receptions[id]?.receive(head, of: request)
            return report(id)
        case .chunk(let bytes):
            counters.bytesReceived += bytes.count
            receptions[id]?.receive(bytes)
            return report(id)
        case .finished(let error):
            return end(id, error)
        }
    }

    /// Tells the listeners how far it is, or gives up an answer that is useless and long.
    private mutating func report(_ id: TransferID) -> [DownloadAction] {
        guard let transfer = transfers[id], let reception = receptions[id] else { return [] }
        if reception.isWorthStopping { return [.cancel(id)] + end(id, nil) }
        guard reception.refusal == nil else { return [] }
        return transfer.listeners.ids.map { .notify($0, .progress(reception.progress)) }
    }

    private mutating func end(_ id: TransferID, _ error: ImageLoadingError?) -> [DownloadAction] {
        guard let reception = receptions[id], let transfer = remove(id) else { return [] }
        let outcome: Result<DownloadedBody, ImageLoadingError> =
            switch reception.outcome(error) {
            case .success(let body): .success(body)
            case .failure(let failure), .restart(let failure): .failure(failure)
            }
        switch outcome {
        case .success: counters.transfersFinished += 1
        case .failure: counters.transfersFailed += 1
        }
        let ends = transfer.listeners.ids.map { listener in
            transferOfListener[listener] = nil
            return DownloadAction.finish(listener, outcome)
        }
        return ends + startReady()
    }

    // MARK: Steps

    private mutating func begin(
        _ key: DownloadKey,
        _ request: DownloadRequest,
        _ priority: LoadPriority
    ) -> TransferID {
        let id = TransferID.unique()
        let own = configuration.headers.filter { field in
            !request.headers.contains { $0.isNamed(field.name) }
        }
        let wish = TransferRequest(
            id: id,
            url: request.url,
            headers: own + request.headers,
            maximumByteCount: configuration.maximumByteCount,
            policy: request.policy
        )
        let host = hostSlots.host(of: key)
        transfers[id] = Transfer(key: key, request: wish, host: host)
        transferOfKey[key] = id
        waiting.insert(id, host: host, priority: priority)
        return id
    }

    /// Starts what may start.
    ///
    /// What a listener hears first of it is `(0, nil)` (row O2).
    private mutating func startReady() -> [DownloadAction] {
        var actions: [DownloadAction] = []
        while !isSuspended, receptions.count < width, let id = popFirst() {
            guard let transfer = transfers[id] else { continue }
            receptions[id] = Reception()
            hostSlots.take(transfer.host)
            counters.transfersStarted += 1
            actions.append(.start(transfer.request))
            actions += transfer.listeners.ids.map { .notify($0, state(of: id)) }
        }
        return actions
    }

    private mutating func popFirst() -> TransferID? {
        let slots = hostSlots
        return waiting.popFirst { slots.isOpen($0) }
    }

    /// Stops a transfer that nobody wants, running or not.
    private mutating func abandon(_ id: TransferID) -> [DownloadAction] {
        let reception = receptions[id]
        waiting.remove(id)
        _ = remove(id)
        guard let reception else { return [] }
        counters.transfersCancelled += 1
        counters.bytesSaved += reception.missingByteCount
        return [.cancel(id)]
    }

    private mutating func remove(_ id: TransferID) -> Transfer? {
        guard let transfer = transfers.removeValue(forKey: id) else { return nil }
        transferOfKey[transfer.key] = nil
        guard receptions.removeValue(forKey: id) != nil else { return transfer }
        hostSlots.free(transfer.host)
        waiting.hostFreedSlot(transfer.host)
        return transfer
    }

    private mutating func settlePriority(of id: TransferID) {
        guard let transfer = transfers[id] else { return }
        waiting.setPriority(transfer.listeners.priority, of: id)
    }

    private func state(of id: TransferID) -> DownloadEvent {
        receptions[id].map { .progress($0.progress) } ?? .queued
    }
}
