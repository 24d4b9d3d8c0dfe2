import Feeds
import GalleryCore
import Glibc
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEnd {
    @Suite struct GrowingFeedTests {
        private let program = TestProgram()

        @Test func `images appear as their lines arrive on standard input`() throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 12)
            let pipe = "\(program.home)/pipe"
            mkfifo(pipe, 0o600)
            // Opens both ends, because opening only one end would wait for the other end.
            let writer = open(pipe, O_RDWR | O_CLOEXEC)
            defer { close(writer) }
            let terminal = try PseudoTerminal(
                "/bin/sh",
                ["-c", "exec \"$0\" - < \"$1\"", program.path, pipe],
                environment: program.environment(colorTerm: "truecolor")
            )
            try terminal.expect("reading the feed")

            for number in 1...12 {
                let line = Array(
                    "\(folder)/\(try SamplePictures.file(number: number).name)\tpicture \(number)\n"
                        .utf8
                )
                #expect(write(writer, line, line.count) == line.count)
                try terminal.expectPosition("1/\(number)+")
                if number <= 8 { try terminal.expect("picture \(number)") }
            }

            terminal.type("G")
            try terminal.expectPosition("12/12+")
            terminal.type("q")
            try terminal.expectEnd(.exited(0))
        }
    }
}
