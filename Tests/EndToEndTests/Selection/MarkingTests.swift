import Glibc
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEnd {
    /// Marks and labels.
    @Suite struct MarkingTests {
        private let program = TestProgram()

        @Test func `m, M, u and U mark images, and the bar counts them`() throws {
            defer { program.remove() }
            let terminal = try program.openGallery([program.pictureFolder(count: 20)])
            try terminal.expectPosition("1/20")

            terminal.type("m")
            try terminal.expect("◆  pictu")
            try terminal.expect("1 marked")
            terminal.type("6gM")
            try terminal.expect("6 marked") { $0.lastLine.contains("marked 5 more") }
            terminal.type("U")
            try terminal.expect("unmarked 6; press u to undo")
            try terminal.expectNo("◆")
            terminal.type("u")
            try terminal.expect("6/20   ◆")
        }

        @Test func `an image is marked where it is open`() throws {
            defer { program.remove() }
            let terminal = try program.openGallery([program.pictureFolder(count: 9)])
            try terminal.expectPosition("1/9")

            terminal.type("\rm")
            try terminal.expectPosition("2/9")
            terminal.type("\u{1B}")
            try terminal.expect("◆  pictu")
        }

        @Test
        func
            `a hundred labels, the program killed in between: none is lost, and labeling continues`()
            throws
        {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 100)
            let file = "\(program.home)/labels.jsonl"
            let arguments = ["--labels", file, folder]
            var done = 0
            while done < 100 {
                let terminal = try program.openGallery(arguments)
                try terminal.expectPosition("\(done + 1)/100")
                terminal.type("L")
                try terminal.expect("LABEL") { $0.lastLine.hasPrefix(" LABEL ") }
                for _ in 0..<min(23, 100 - done) {
                    terminal.type("\(done % 3 + 1)")
                    done += 1
                    // A mark on the screen is already saved.
                    let place = "\(min(done + 1, 100))/100"
                    try terminal.expect(place) { $0.lastLine.contains(" \(place) ") }
                }
                let count = done
                try terminal.expect("the last label") { _ in lines(of: file).count >= count }
                terminal.send(SIGKILL)
                try terminal.expectEnd(.killed(by: SIGKILL))
                #expect(lines(of: file).count == done)
            }
            let written = lines(of: file)
            #expect(Set(written.compactMap { $0.split(separator: "\"path\":").last }).count == 100)
            #expect(written[1].contains("\"label\":2,\"name\":\"maybe\""))

            // All have one: nothing is left to go on with.
            let terminal = try program.openGallery(arguments)
            try terminal.expectPosition("1/100")
            try terminal.expect(" 1  pict")
        }

        @Test func `a label is undone in the file too`() throws {
            defer { program.remove() }
            let file = "\(program.home)/labels.jsonl"
            let terminal = try program.openGallery(
                ["--labels", file, "--label-names", "cat,dog", program.pictureFolder(count: 9)]
            )
            try terminal.expectPosition("1/9")

            terminal.type("L2u")
            try terminal.expect("undone")
            let written = lines(of: file)
            #expect(written.count == 2)
            #expect(written[0].contains("\"label\":2,\"name\":\"dog\""))
            #expect(written[1].contains("\"label\":null"))
        }

        @Test func `a labels file that cannot be written is refused before the screen opens`()
            throws
        {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 3)
            let terminal = try program.openGallery(["--labels", program.home, folder])

            try terminal.expectEnd(.exited(2))
            #expect(terminal.hasWritten("cannot save labels in \(program.home): Is a directory"))
            #expect(!terminal.screen.isAlternate)
        }

        private func lines(of path: String) -> [Substring] {
            guard let file = fopen(path, "r") else { return [] }
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            let count = fread(&bytes, 1, bytes.count, file)
            return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
        }
    }
}
