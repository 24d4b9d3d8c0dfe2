internal import DequeModule
internal import SystemSupport

/// A queue of waiting work, ordered by priority and then by age, newest or oldest first.
///
/// The queue takes no lock, so its owner must synchronize access.
struct WorkQueue<Work> {
    typealias ID = UInt64

    private struct Item {
        let id: ID
        let work: Work
    }

    private let order: WorkOrder
    /// One list for each priority, lowest first; each list is sorted from oldest to newest.
    ///
    /// The lists are deques, because an `ArraySlice` keeps removed elements alive in its buffer. If
    /// such an element held the queue's owner, the owner and its threads would never be released.
    private var lists = [Deque<Item>](repeating: [], count: LoadPriority.allCases.count)
    private var lastID: ID = 0

    init(order: WorkOrder) {
        self.order = order
    }

    var isEmpty: Bool { lists.allSatisfy(\.isEmpty) }

    var count: Int { lists.reduce(0) { $0 + $1.count } }

    /// Returns an identifier for work that will be added.
    ///
    /// The identifier is created before the work is added, so the work can be cancelled before a
    /// thread takes it.
    mutating func makeID() -> ID {
        lastID += 1
        return lastID
    }

    /// Adds work; a higher identifier means newer work.
    mutating func insert(_ work: Work, id: ID, priority: LoadPriority) {
        // The insertion point is almost always the end of the list, but two threads may add work in
        // a different order than they created the identifiers.
        let list = lists[priority.rawValue]
        let place = list.lastIndex { $0.id < id }.map { $0 + 1 } ?? list.startIndex
        lists[priority.rawValue].insert(Item(id: id, work: work), at: place)
    }

    /// Removes and returns the next work item, or returns nil if the queue is empty.
    mutating func next() -> Work? {
        guard let index = lists.lastIndex(where: { !$0.isEmpty }) else { return nil }
        switch order {
        case .newestFirst: return lists[index].removeLast().work
        case .oldestFirst: return lists[index].removeFirst().work
        }
    }

    /// Removes and returns the work with an identifier.
    ///
    /// Returns nil if the work has already been taken or was never added.
    mutating func remove(_ id: ID) -> Work? {
        for index in lists.indices {
            guard let place = Self.place(of: id, in: lists[index]) else { continue }
            return lists[index].remove(at: place).work
        }
        return nil
    }

    /// Changes the priority of waiting work.
    ///
    /// The work keeps its age relative to the work of the new priority. Has no effect if the work
    /// has already been taken.
    mutating func setPriority(_ priority: LoadPriority, of id: ID) {
        guard Self.place(of: id, in: lists[priority.rawValue]) == nil else { return }
        remove(id).map { insert($0, id: id, priority: priority) }
    }

    /// Removes and returns all matching work, in no particular order.
    mutating func removeAll(where matches: (Work) -> Bool) -> [Work] {
        let removed = lists.flatMap { $0.map(\.work).filter(matches) }
        for index in lists.indices { lists[index].removeAll { matches($0.work) } }
        return removed
    }

    /// Returns the index in `list` of the work with an identifier, or nil if `list` does not
    /// contain it.
    ///
    /// Uses a binary search, because the identifiers in a list are ascending.
    private static func place(of id: ID, in list: Deque<Item>) -> Int? {
        var range = list.startIndex..<list.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if list[middle].id == id { return middle }
            range = list[middle].id < id ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }
}

/// The order of work with the same priority.
package enum WorkOrder: Sendable {
    /// The newest work first, because it is for the image that the user is viewing.
    case newestFirst
    /// The oldest work first; with one thread, work items run one at a time in this order.
    case oldestFirst
}

/// A handle for the priority of work waiting in the queue of a pool or the downloader.
///
/// The priority can be changed at any time, on any thread. The handle is created before the work,
/// so its priority can be set before the work exists. One handle can be used for several work
/// items, one after another or at the same time.
final class PriorityHandle: Sendable {
    /// A closure that applies the new priority to one work item.
    ///
    /// It is called without the handle's lock. It must read the priority from the handle while it
    /// holds the lock of its own queue, so the later of two simultaneous changes takes effect.
    typealias Receiver = @Sendable (PriorityHandle) -> Void

    /// The result of a call to `bind`; the caller passes it to `unbind`.
    struct Binding: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct State {
        var priority: LoadPriority
        var lastNumber = 0
        var receivers: [(binding: Binding, receive: Receiver)] = []
    }

    private let state: Protected<State>

    init(priority: LoadPriority) {
        state = Protected(State(priority: priority))
    }

    /// The priority of the work; setting it has no effect on running work.
    var priority: LoadPriority {
        get { state.withLock { $0.priority } }
        set {
            let receivers = state.withLock { state in
                state.priority = newValue
                return state.receivers
            }
            for receiver in receivers { receiver.receive(self) }
        }
    }

    /// Calls `receive` for each change of the priority until `unbind` is called.
    ///
    /// Earlier changes are not reported, so the caller must read the priority after it has added
    /// the work to its queue.
    func bind(_ receive: @escaping Receiver) -> Binding {
        state.withLock { state in
            state.lastNumber += 1
            let binding = Binding(number: state.lastNumber)
            state.receivers.append((binding, receive))
            return binding
        }
    }

    /// Removes a binding after its work is done.
    func unbind(_ binding: Binding) {
        state.withLock { state in
            state.receivers.removeAll { $0.binding == binding }
        }
    }
}
