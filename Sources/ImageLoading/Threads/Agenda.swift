internal import HeapModule

/// What is due when, the earliest first; what is due at the same time, in the order of coming in.
struct Agenda<Element: Sendable>: Sendable {
    private var entries = Heap<Entry>()
    private var lastNumber = 0

    /// The time of the earliest entry.
    var next: Duration? { entries.min?.time }

    mutating func add(_ element: Element, at time: Duration) {
        lastNumber += 1
        entries.insert(Entry(time: time, number: lastNumber, element: element))
    }

    /// Takes out everything whose time has come.
    mutating func takeDue(at now: Duration) -> [Element] {
        var due: [Element] = []
        while let first = entries.min, first.time <= now {
            due.append(first.element)
            entries.removeMin()
        }
        return due
    }

    private struct Entry: Comparable {
        let time: Duration
        let number: Int
        let element: Element

        static func < (left: Entry, right: Entry) -> Bool {
            (left.time, left.number) < (right.time, right.number)
        }

        static func == (left: Entry, right: Entry) -> Bool { left.number == right.number }
    }
}
