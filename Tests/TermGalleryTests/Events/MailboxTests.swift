import Glibc
import Testing

@testable import TermGallery

@Suite struct MailboxTests {
    private func isReadable(_ descriptor: Int32) -> Bool {
        var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&source, 1, 0) == 1
    }

    @Test func `mail comes out in the order in which it was posted`() throws {
        let box = try Mailbox<Int>()
        for number in 0..<100 { box.post(number) }

        #expect(box.takeAll() == Array(0..<100))
        #expect(box.takeAll().isEmpty)
    }

    @Test func `the descriptor is readable exactly while mail waits`() throws {
        let box = try Mailbox<String>()
        #expect(!isReadable(box.descriptor))

        box.post("one")
        box.post("two")
        #expect(isReadable(box.descriptor))

        _ = box.takeAll()
        #expect(!isReadable(box.descriptor))

        box.post("three")
        #expect(isReadable(box.descriptor))
    }

    @Test func `no message of several threads is lost and each wakes a sleeping loop`() async throws
    {
        let box = try Mailbox<Int>()
        let taken = try await withThrowingTaskGroup(of: Void.self) { group in
            for sender in 0..<4 {
                group.addTask { for number in 0..<1000 { box.post(sender * 1000 + number) } }
            }
            try await group.waitForAll()
            var taken: [Int] = []
            while isReadable(box.descriptor) { taken += box.takeAll() }
            return taken
        }

        #expect(taken.sorted() == Array(0..<4000))
        for sender in 0..<4 {
            let own = taken.filter { $0 / 1000 == sender }
            #expect(own == own.sorted())
        }
    }
}
