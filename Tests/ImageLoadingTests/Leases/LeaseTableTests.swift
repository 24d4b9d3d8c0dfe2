import ImageLoadingTesting
import Testing

@testable import ImageLoading

struct LeaseTableTests {
    private typealias Answer = LeaseTable.Answer

    @Test func `only the first of several asks the file, the others follow in turn`() {
        var table = LeaseTable()
        let tickets = (0..<3).map { _ in table.makeTicket() }

        #expect(tickets.map { table.enter($0, for: 7) } == [true, false, false])

        #expect(table.noteTry(7, .taken) == [Answer(ticket: tickets[0], contention: false)])
        #expect(
            table.release(tickets[0]) == .handedOver(Answer(ticket: tickets[1], contention: true))
        )
        #expect(
            table.release(tickets[1]) == .handedOver(Answer(ticket: tickets[2], contention: true))
        )
        #expect(table.release(tickets[2]) == .freed(offset: 7))
        #expect(table.isEmpty)
    }

    @Test func `a lock held elsewhere is asked for again until it is had, and counts as contended`()
    {
        var table = LeaseTable()
        let ticket = table.makeTicket()
        _ = table.enter(ticket, for: 7)

        #expect(table.noteTry(7, .heldElsewhere).isEmpty)
        #expect(table.offsetsToAskAgain == [7])

        #expect(table.noteTry(7, .taken) == [Answer(ticket: ticket, contention: true)])
        #expect(table.offsetsToAskAgain.isEmpty)
    }

    @Test func `without locks everybody is told at once`() {
        var table = LeaseTable()
        let tickets = (0..<3).map { _ in table.makeTicket() }
        for ticket in tickets { _ = table.enter(ticket, for: 7) }

        let answers = table.noteTry(7, .impossible)

        #expect(answers == tickets.map { Answer(ticket: $0, contention: nil) })
        #expect(table.isEmpty)
    }

    @Test func `a lock taken for somebody who left meanwhile is free again`() {
        var table = LeaseTable()
        let ticket = table.makeTicket()
        _ = table.enter(ticket, for: 7)

        #expect(table.giveUp(ticket) == Answer(ticket: ticket, contention: nil))

        #expect(table.noteTry(7, .taken).isEmpty)
        #expect(table.isFree(7))
        #expect(table.isEmpty)
    }

    @Test func `giving up a lease that is held does nothing, releasing one that waits neither`() {
        var table = LeaseTable()
        let (holder, waiter) = (table.makeTicket(), table.makeTicket())
        _ = table.enter(holder, for: 7)
        _ = table.enter(waiter, for: 7)
        _ = table.noteTry(7, .taken)

        #expect(table.giveUp(holder) == nil)
        #expect(table.release(waiter) == .unknown)

        #expect(!table.isFree(7))
    }

    /// Each step is one that `KeyLeases` may make, in any order that its threads allow.
    @Test(arguments: 0..<20)
    func `whatever happens, a lock has one holder at most and everybody is told once`(
        seed: UInt64
    ) {
        var generator = SeededGenerator(seed: seed)
        var table = LeaseTable()
        var open: Set<UInt64> = []
        var holders: [UInt64: Int] = [:]
        var offsets: [UInt64: Int] = [:]
        func note(_ answer: LeaseTable.Answer) {
            #expect(open.remove(answer.ticket) != nil, "seed \(seed): told twice")
            guard answer.contention != nil, let offset = offsets[answer.ticket] else { return }
            #expect(!holders.values.contains(offset), "seed \(seed): two holders")
            holders[answer.ticket] = offset
        }
        for _ in 0..<2_000 {
            let offset = Int.random(in: 0..<3, using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<3:
                let ticket = table.makeTicket()
                open.insert(ticket)
                offsets[ticket] = offset
                _ = table.enter(ticket, for: offset)
            case 3..<7:
                guard table.needsTry(offset) else { continue }
                let outcomes: [LockFile.Outcome] = [.taken, .taken, .heldElsewhere, .impossible]
                let outcome = outcomes.randomElement(using: &generator) ?? .taken
                table.noteTry(offset, outcome).forEach(note)
            case 7:
                open.sorted().randomElement(using: &generator).flatMap { table.giveUp($0) }.map(
                    note
                )
            default:
                guard let ticket = holders.keys.sorted().randomElement(using: &generator) else {
                    continue
                }
                holders[ticket] = nil
                switch table.release(ticket) {
                case .handedOver(let answer): note(answer)
                case .freed(let offset): #expect(table.isFree(offset))
                case .unknown: Issue.record("seed \(seed): a holder is unknown")
                }
            }
        }
        for ticket in holders.keys {
            if case .handedOver(let answer) = table.release(ticket) {
                _ = open.remove(answer.ticket)
            }
        }
        for ticket in open { _ = table.giveUp(ticket) }
    }
}
