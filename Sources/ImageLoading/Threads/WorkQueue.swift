internal import DequeModule

/// Waiting work: the highest priority first, inside it the newest or the oldest.
///
/// Pure.
struct WorkQueue<Work> {
    typealias ID = UInt64

    private struct Item {
        let id: ID
        let work: Work
    }

    private let order: WorkOrder
    /// One list for each priority, lowest first; inside, oldest first.
    ///
    /// Deques, since an `ArraySlice` keeps what was removed at its ends alive in its buffer, and
    /// work that holds the queue's owner would keep it, and its threads, for ever.
    private var lists = [Deque<Item>](repeating: [], count: LoadPriority.allCases.count)
    private var lastID: ID = 0

    init(order: WorkOrder) {
        self.order = order
    }

    var isEmpty: Bool { lists.allSatisfy(\.isEmpty) }

    var count: Int { lists.reduce(0) { $0 + $1.count } }

    /// A name for work that is about to be added.
    ///
    /// A step of its own, so that there is a name to cancel the work by before the work can be taken.
    mutating func makeID() -> ID {
        lastID += 1
        return lastID
    }

    /// Adds work.
    ///
    /// Its age is that of its ID.
    mutating func insert(_ work: Work, id: ID, priority: LoadPriority) {
        // Almost always at the end: two threads may add in another order than they got their IDs.
        let list = lists[priority.rawValue]
        let place = list.lastIndex { $0.id < id }.map { $0 + 1 } ?? list.startIndex
        lists[priority.rawValue].insert(Item(id: id, work: work), at: place)
    }

    /// Takes the next work out.
    mutating func next() -> Work? {
        guard let index = lists.lastIndex(where: { !$0.isEmpty }) else { return nil }
        switch order {
        case .newestFirst: return lists[index].removeLast().work
        case .oldestFirst: return lists[index].removeFirst().work
        }
    }

    /// Takes certain work out; nil if it was taken before or never added.
    mutating func remove(_ id: ID) -> Work? {
        for index in lists.indices {
            guard let place = Self.place(of: id, in: lists[index]) else { continue }
            return lists[index].remove(at: place).work
        }
        return nil
    }

    /// Moves waiting work to another priority, where it counts by its age; ignores work that was
    /// taken before.
    mutating func setPriority(_ priority: LoadPriority, of id: ID) {
        guard Self.place(of: id, in: lists[priority.rawValue]) == nil else { return }
        remove(id).map { insert($0, id: id, priority: priority) }
    }

    /// Takes out all work that matches, in no particular order.
    mutating func removeAll(where matches: (Work) -> Bool) -> [Work] {
        let removed = lists.flatMap { $0.map(\.work).filter(matches) }
        for index in lists.indices { lists[index].removeAll { matches($0.work) } }
        return removed
    }

    /// Binary search, since IDs rise inside a list.
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

/// Which of two pieces of work with the same priority goes first.
package enum WorkOrder: Sendable {
    /// What was asked for last is what is being looked at.
    case newestFirst
    /// In the order of asking; with one thread, one after the other.
    case oldestFirst
}

/// The priority of work that waits, in the queue of a pool or of the downloader: it may be raised or
/// lowered at any time, on any thread.
///
/// Made before the work, so that a priority can be set before there is anything that has one. One
/// handle may go with several pieces of work, one after the other or at the same time.
final class PriorityHandle: Sendable {
    /// Has the new priority applied to one piece of work; called outside of the handle's lock.
    ///
    /// Reads the priority from the handle inside the lock of its own queue, so that of two changes
    /// at the same time the later one stands.
    typealias Receiver = @Sendable (PriorityHandle) -> Void

    /// What `bind` gives and `unbind` takes.
    struct Binding: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct State {
        var priority: LoadPriority
        var lastNumber = 0
        var receivers: [(binding: Binding, receive: Receiver)] = []
    }

    private let state: Protected<State>

    /// Makes a handle for work that is to wait at a priority.
    init(priority: LoadPriority) {
        state = Protected(State(priority: priority))
    }

    /// How urgent the work is; setting it has no effect on work that runs.
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

    /// Has `receive` called at each change of the priority, until `unbind`.
    ///
    /// What changed before is not told again: the caller reads the priority when the work has
    /// been put into its queue.
    func bind(_ receive: @escaping Receiver) -> Binding {
        state.withLock { state in
            state.lastNumber += 1
            let binding = Binding(number: state.lastNumber)
            state.receivers.append((binding, receive))
            return binding
        }
    }

    /// Lets go of the work, when it is done.
    func unbind(_ binding: Binding) {
        state.withLock { state in
            state.receivers.removeAll { $0.binding == binding }
        }
    }
}
