import FeedHarness
import TerminalUI
import Testing

@testable import TermGallery

@Suite struct TerminalMemoryTests {
    private let folder = TestFolder()

    private func memory(device: String = "pts-3", mark: String = "1 TERM=foot") -> TerminalMemory {
        TerminalMemory(
            terminal: TerminalIdentity(device: device, mark: mark),
            folder: "\(folder.path)/terminals"
        )
    }

    private var replies: TerminalReplies {
        var replies = TerminalReplies()
        _ = replies.take(.string(.deviceControl, ">|foot(1.13.1)"))
        return replies
    }

    @Test func `the answers of a terminal are known to the next command in it`() {
        #expect(memory().replies == nil)

        memory().remember(replies)

        #expect(memory().replies == replies)
        #expect(memory(device: "pts-4").replies == nil)
        #expect(memory(mark: "2 TERM=foot").replies == nil)
    }

    @Test func `a terminal that answers nothing replaces no record`() {
        memory().remember(replies)

        memory().remember(TerminalReplies())
        memory().remember(nil)

        #expect(memory().replies == replies)
    }

    @Test func `the last box is known until it is cleared`() {
        let rect = FrameRect(row: 2, column: 60, rows: 20, columns: 40)

        memory().remember(box: rect)
        #expect(memory().drawn == rect && memory(device: "pts-4").drawn == nil)
        #expect(memory(mark: "2 TERM=foot").drawn == nil)

        memory().remember(box: nil)
        #expect(memory().drawn == nil)
    }

    @Test func `without a terminal or a folder nothing is stored`() {
        for memory in [
            TerminalMemory(terminal: nil, folder: folder.path),
            TerminalMemory(terminal: TerminalIdentity(device: "pts-3", mark: ""), folder: nil),
        ] {
            memory.remember(replies)
            memory.remember(box: FrameRect(row: 0, column: 0, rows: 1, columns: 1))
            #expect(memory.replies == nil && memory.drawn == nil)
        }
    }

    @Test func `images have the same numbers in one terminal and other numbers in another`() {
        let ids = [memory().firstID, memory(device: "pts-4").firstID, memory(mark: "2").firstID]

        #expect(memory().firstID == ids[0] && Set(ids).count == 3)
        #expect(ids.allSatisfy { (0x01_0000...0xFF_0000).contains($0) })
    }
}
