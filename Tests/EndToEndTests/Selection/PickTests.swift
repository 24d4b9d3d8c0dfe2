import Feeds
import Glibc
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEnd {
    /// `--pick` and `--print-marked` in a pipeline.
    @Suite struct PickTests {
        private let program = TestProgram()

        /// The gallery in a shell, with pipes and files for its input and output.
        private func gallery(_ command: String) throws -> PseudoTerminal {
            let script = command.replacing("termgallery", with: program.path)
            return try PseudoTerminal(
                "/bin/sh",
                ["-c", "cd \(program.home); \(script); echo status $?"],
                environment: program.environment(colorTerm: "truecolor")
            )
        }

        private func bytes(_ name: String) -> [UInt8] {
            guard let file = fopen("\(program.home)/\(name)", "r") else { return [] }
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
        }

        @Test func `Enter prints the image, with a feed from a pipe and into a pipe`() throws {
            defer { program.remove() }
            for number in 1...3 {
                try program.write(SamplePictures.file(number: number).bytes, to: "\(number).png")
            }
            let terminal = try gallery(
                "ls *.png | termgallery --pick - | sed s/^/got:/ > out"
            )
            try terminal.expectPosition("1/3")
            terminal.type("l\r")

            try terminal.expect("status 0")
            #expect(terminal.screen.isRestored)
            #expect(bytes("out") == Array("got:\(program.home)/2.png\n".utf8))
        }

        @Test(arguments: [
            "ls *.png | termgallery --pick -", "find . -print0 | termgallery -0 --pick -",
        ])
        func `names with spaces are printed whole`(command: String) throws {
            defer { program.remove() }
            let name = "sp ace 1.png"
            try program.write(SamplePictures.file(number: 1).bytes, to: name)
            let terminal = try gallery(
                command.replacing("find .", with: "find \"$PWD\" -name '*.png'") + " > out"
            )
            try terminal.expectPosition("1/1")
            try terminal.expect("sp ace 1")
            terminal.type("\r")

            try terminal.expect("status 0")
            #expect(bytes("out") == Array("\(program.home)/\(name)\n".utf8))
        }

        @Test func `a table's columns are shown, and printed with the image and its label`()
            throws
        {
            defer { program.remove() }
            let name = try SamplePictures.file(number: 1).name
            try program.write(SamplePictures.file(number: 1).bytes, to: name)
            let table = "file,title,score\n\(name),\"One, and only\",0.5\n"
            try program.write(Array(table.utf8), to: "t.csv")
            let terminal = try gallery(
                "termgallery --pick --json --labels labels --url-column file t.csv > out"
            )
            try terminal.expectPosition("1/1")
            try terminal.expect("One, and only")
            terminal.type("i")
            try terminal.expect("score")
            terminal.type("iL2L\r")

            try terminal.expect("status 0")
            let record =
                "{\"path\":\"\(program.home)/\(name)\",\"caption\":\"One, and only\",\"label\":2,"
                + "\"name\":\"maybe\",\"fields\":{\"score\":\"0.5\"}}\n"
            #expect(String(decoding: bytes("out"), as: UTF8.self) == record)
            #expect(
                String(decoding: bytes("labels"), as: UTF8.self)
                    .hasSuffix(",\"fields\":{\"score\":\"0.5\"}}\n")
            )
        }

        @Test func `marked images are printed in order, with NUL bytes on request`() throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 9)
            let terminal = try gallery("termgallery --pick --print0 pictures > out")
            try terminal.expectPosition("1/9")
            terminal.type("5gmgm")
            try terminal.expect("2 marked")
            terminal.type("\r")

            try terminal.expect("status 0")
            let names = [1, 5].map { "\(folder)/picture \($0).png\u{0}" }
            #expect(bytes("out") == Array(names.joined().utf8))
        }

        @Test func `q prints nothing and ends with 1`() throws {
            defer { program.remove() }
            _ = try program.pictureFolder(count: 9)
            let terminal = try gallery("termgallery --pick pictures > out")
            try terminal.expectPosition("1/9")
            terminal.type("mq")

            try terminal.expect("status 1")
            #expect(bytes("out").isEmpty)
        }

        @Test func `quitting prints the marked images, and ends with 1 if there are none`() throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 9)
            for (keys, status) in [("mmq", 0), ("q", 1)] {
                let terminal = try gallery(
                    "termgallery --no-remember --print-marked pictures > out"
                )
                try terminal.expectPosition("1/9")
                terminal.type(keys)
                try terminal.expect("status \(status)")
                let names = status == 0 ? [1, 2].map { "\(folder)/picture \($0).png\n" } : []
                #expect(bytes("out") == Array(names.joined().utf8))
            }
        }

        @Test func `names that are not UTF-8 are printed byte for byte`() throws {
            defer { program.remove() }
            _ = try program.pictureFolder(count: 3)
            let terminal = try gallery(
                "cp 'pictures/picture 1.png' \"$(printf 'a\\377.png')\"; "
                    + "termgallery --pick a*.png > out"
            )
            try terminal.expectPosition("1/1")
            terminal.type("\r")

            try terminal.expect("status 0")
            #expect(bytes("out") == Array("\(program.home)/a".utf8) + [0xFF] + Array(".png\n".utf8))
        }

        @Test func `contradictory options are refused`() throws {
            defer { program.remove() }
            for arguments in [["--print0"], ["--pick", "--print-marked"]] {
                #expect(try program.run(arguments + ["x.png"]).status == .exited(2))
            }
        }
    }
}
