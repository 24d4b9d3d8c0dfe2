import ImageLoadingTesting
import Testing

@testable import ImageLoading

struct LeaseTableTests {
    private typealias Answer = LeaseTable.Answer

    @Test func `only the first of several tasks locks the file, and all share the result`() {
        var table = LeaseTable()
        let tickets = (0..<3).map { _ in table.makeTicket() }

        #expect(tickets.map { table.enter($0, for: 7) } == [.asks, .waits, .waits])

        #expect(table.noteTry(7, .taken) == tickets.map { Answer(ticket: $0, isHeld: true) })
        let late = table.makeTicket()
        #expect(table.enter(late, for: 7) == .answered(Answer(ticket: late, isHeld: true)))
        for ticket in tickets { #expect(table.leave(ticket) == LeaseTable.Departure()) }
        #expect(table.leave(late) == LeaseTable.Departure(freedOffset: 7))
        #expect(table.isEmpty)
    }

    @Test func `a lock held elsewhere is tried again until granted, and counts as contended`() {
        var table = LeaseTable()
        let (ticket, late) = (table.makeTicket(), table.makeTicket())
        _ = table.enter(ticket, for: 7)

        #expect(table.noteTry(7, .heldElsewhere).isEmpty)
        #expect(table.offsetsToAskAgain == [7])
        #expect(table.enter(late, for: 7) == .waitsForOthers)

        let answers = [ticket, late].map { Answer(ticket: $0, isHeld: true, wasContended: true) }
        #expect(table.noteTry(7, .taken) == answers)
        #expect(table.offsetsToAskAgain.isEmpty)
    }

    @Test func `without locks all tasks continue immediately, and later ones too`() {
        var table = LeaseTable()
        let tickets = (0..<3).map { _ in table.makeTicket() }
        for ticket in tickets { _ = table.enter(ticket, for: 7) }

        let answers = table.noteTry(7, .impossible)

        #expect(answers == tickets.map { Answer(ticket: $0, isHeld: false) })
        let late = table.makeTicket()
        #expect(table.enter(late, for: 7) == .answered(Answer(ticket: late, isHeld: false)))
        for ticket in tickets + [late] { #expect(table.leave(ticket) == LeaseTable.Departure()) }
        #expect(table.isEmpty)
    }

    @Test func `a lock taken for a task that left meanwhile is free again`() {
        var table = LeaseTable()
        let ticket = table.makeTicket()
        _ = table.enter(ticket, for: 7)

        let departure = table.leave(ticket)

        #expect(departure.answer == Answer(ticket: ticket, isHeld: false))
        #expect(departure.freedOffset == nil)
        #expect(table.noteTry(7, .taken).isEmpty)
        #expect(!table.isHeld(7))
        #expect(table.isEmpty)
    }

    @Test func `leaving twice releases nothing twice`() {
        var table = LeaseTable()
        let (one, other) = (table.makeTicket(), table.makeTicket())
        _ = table.enter(one, for: 7)
        _ = table.enter(other, for: 7)
        _ = table.noteTry(7, .taken)

        #expect(table.leave(one) == LeaseTable.Departure())
        #expect(table.leave(one) == LeaseTable.Departure())

        #expect(table.isHeld(7))
    }

    @Test func `a wait has one limit, which does not end a later wait`() throws {
        var table = LeaseTable()
        let (first, second) = (table.makeTicket(), table.makeTicket())
        _ = table.enter(first, for: 7)
        let early = table.limitWait(for: 7)
        _ = table.noteTry(7, .heldElsewhere)
        let granted = table.limitWait(for: 7)
        let again = table.limitWait(for: 7)
        #expect(early == nil)
        #expect(again == nil)
        let limit = try #require(granted)

        _ = table.leave(first)
        _ = table.enter(second, for: 7)
        _ = table.noteTry(7, .heldElsewhere)

        #expect(table.stopWaiting(for: 7, since: limit).isEmpty)
        let later = table.limitWait(for: 7)
        let next = try #require(later)
        let answers = table.stopWaiting(for: 7, since: next)
        #expect(answers == [Answer(ticket: second, isHeld: false)])
        #expect(table.offsetsToAskAgain.isEmpty)
    }

    /// Each step is one that `KeyLeases` may make, in any order that its threads allow.
    @Test(arguments: 0..<20)
    func `in any order, each task is notified once, and the last share frees the lock`(
        seed: UInt64
    ) {
        var generator = SeededGenerator(seed: seed)
        var table = LeaseTable()
        var open: Set<UInt64> = []
        var holders: [UInt64: Int] = [:]
        var offsets: [UInt64: Int] = [:]
        func note(_ answer: LeaseTable.Answer) {
            #expect(open.remove(answer.ticket) != nil, "seed \(seed): told twice")
            guard answer.isHeld, let offset = offsets[answer.ticket] else { return }
            #expect(table.isHeld(offset), "seed \(seed): a share of a lease that is not held")
            holders[answer.ticket] = offset
        }
        for _ in 0..<2_000 {
            let offset = Int.random(in: 0..<3, using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<3:
                let ticket = table.makeTicket()
                open.insert(ticket)
                offsets[ticket] = offset
                if case .answered(let answer) = table.enter(ticket, for: offset) { note(answer) }
            case 3..<6:
                guard table.needsTry(offset) else { continue }
                let outcomes: [LockFile.Outcome] = [.taken, .taken, .heldElsewhere, .impossible]
                let outcome = outcomes.randomElement(using: &generator) ?? .taken
                table.noteTry(offset, outcome).forEach(note)
            case 6:
                guard let limit = table.limitWait(for: offset) else { continue }
                table.stopWaiting(for: offset, since: limit).forEach(note)
            case 7:
                guard let ticket = open.sorted().randomElement(using: &generator) else { continue }
                table.leave(ticket).answer.map(note)
            default:
                guard let ticket = offsets.keys.sorted().randomElement(using: &generator),
                    !open.contains(ticket)
                else { continue }
                let offset = holders.removeValue(forKey: ticket)
                offsets[ticket] = nil
                let freed = table.leave(ticket).freedOffset
                let isLast = offset.map { !holders.values.contains($0) } ?? false
                #expect((freed != nil) == isLast, "seed \(seed): freed too early or too late")
                if let freed { #expect(!table.isHeld(freed)) }
            }
        }
        for ticket in offsets.keys { _ = table.leave(ticket) }
        #expect(table.isEmpty)
    }
}
