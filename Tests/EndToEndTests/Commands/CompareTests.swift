import Decoders
import FoundationEssentials
import Glibc
import Testing

extension EndToEnd {
    /// `compare` without a screen.
    @Suite struct CompareTests {
        private let program = TestProgram()

        private struct Line: Decodable {
            struct Size: Decodable, Equatable {
                let width: Int
                let height: Int
            }
            struct Failure: Decodable {
                let message: String
                let side: String
            }
            let name: String
            let status: String
            let a: Size?
            let b: Size?
            let changedPixels: Int?
            let ssim: Double?
            let error: Failure?
        }

        private func lines(_ run: ProgramRun) throws -> [Line] {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return try run.lines.map { try decoder.decode(Line.self, from: Data($0.utf8)) }
        }

        /// Writes a PNG of one color; `changed` of its pixels are black.
        private func writeImage(_ name: String, side: Int = 20, changed: Int = 0) throws {
            let bytes = (0..<side * side).flatMap { index -> [UInt8] in
                index < changed ? [0, 0, 0, 255] : [200, 100, 50, 255]
            }
            let size = PixelSize(width: side, height: side)
            let pixels = PixelBuffer(size: size, bytes: bytes, hasAlpha: false)
            try program.write(PNGEncoder.encode(pixels), to: name)
        }

        private func shell(_ script: String) throws -> ProgramRun {
            try ProgramRun(
                "/bin/sh",
                ["-c", "set -e; cd \(program.home); p='\(program.path) compare'; \(script)"],
                environment: program.environment()
            )
        }

        private func makeFolders() throws {
            for folder in ["old", "new", "old/sub", "new/sub"] {
                mkdir("\(program.home)/\(folder)", 0o700)
            }
            for folder in ["old", "new"] { try writeImage("\(folder)/same.png") }
            try writeImage("old/changed 9.png")
            try writeImage("new/changed 9.png", changed: 40)
            try writeImage("old/changed 10.png", changed: 1)
            try writeImage("new/changed 10.png")
            try writeImage("old/size.png", side: 10)
            try writeImage("new/size.png", side: 30)
            try writeImage("old/gone.png")
            try writeImage("new/sub/inner.png")
        }

        @Test func `compare --batch reports the pairs of two folders in the order of their names`()
            throws
        {
            defer { program.remove() }
            try makeFolders()

            let run = try shell("$p --batch old new")
            let lines = try lines(run)

            #expect(run.status == .exited(1) && run.errors.isEmpty)
            let names = ["changed 9.png", "changed 10.png", "gone.png", "same.png", "size.png"]
            #expect(lines.map(\.name) == names)
            let statuses = ["different", "different", "onlyInA", "equal", "sizeDiffers"]
            #expect(lines.map(\.status) == statuses)
            #expect(lines.map(\.changedPixels) == [40, 1, nil, 0, nil])
            #expect(lines[3].ssim == 1 && lines[3].a == lines[3].b)
            #expect(lines[4].a?.width == 10 && lines[4].b?.height == 30)
        }

        @Test func `compare -r also pairs the images in subfolders`() throws {
            defer { program.remove() }
            try makeFolders()

            let lines = try lines(shell("$p --batch -r old new || true"))

            #expect(lines.count == 6)
            #expect(lines.last?.name == "sub/inner.png" && lines.last?.status == "onlyInB")
        }

        @Test func `the table counts equal pairs and shows the others`() throws {
            defer { program.remove() }
            try makeFolders()

            let run = try shell("$p old new")

            #expect(run.status == .exited(1) && run.errors.isEmpty)
            #expect(run.lines.count == 6 && !run.text.contains("same.png"))
            #expect(run.lines[0] == "gone.png: only in A")
            #expect(run.lines[1] == "size.png: 10×10 in A, 30×30 in B")
            #expect(run.lines[3].hasSuffix("  changed 9.png"))
            #expect(
                run.lines[5]
                    == "5 pairs: 1 equal, 2 different, 1 of different sizes, 1 only in A"
            )
        }

        @Test func `equal images end with 0, and similar ones with --min-ssim`() throws {
            defer { program.remove() }
            try makeFolders()

            let equal = try shell("$p old/same.png new/same.png")
            #expect(equal.status == .exited(0) && equal.text == "1 pair: 1 equal\n")
            let changed = "$p 'old/changed 10.png' 'new/changed 10.png'"
            #expect(try shell(changed).status == .exited(1))
            #expect(try shell("\(changed) --min-ssim 0.5").status == .exited(0))
            #expect(try shell("\(changed) --min-ssim 1").status == .exited(1))
        }

        @Test func `archives are compared with each other and with folders`() throws {
            defer { program.remove() }
            try makeFolders()

            let run = try shell(
                """
                (cd old && tar cf ../old.tar *.png); (cd new && tar cf ../new.tar *.png)
                $p --batch old.tar new.tar || true; $p --batch old.tar old
                """
            )
            let lines = try lines(run)

            #expect(run.status == .exited(0))
            #expect(lines.prefix(5).map(\.changedPixels) == [40, 1, nil, 0, nil])
            #expect(lines.count == 10 && lines.suffix(5).allSatisfy { $0.status == "equal" })
        }

        @Test func `expected and actual images of one folder are compared`() throws {
            defer { program.remove() }
            for name in ["a-expected.png", "a-actual.png", "b-expected.png", "b-diff.png"] {
                try writeImage(name)
            }
            try writeImage("b-actual.png", changed: 3)

            let lines = try lines(shell("$p --batch . || true"))

            #expect(lines.map(\.name) == ["a.png", "b.png"])
            #expect(lines.map(\.changedPixels) == [0, 3])
        }

        @Test func `a damaged image and one that needs too much memory are failed pairs`() throws {
            defer { program.remove() }
            try writeImage("a.png")
            try program.write([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], to: "b.png")
            try writeImage("large.png", side: 1010)

            let damaged = try lines(shell("$p --batch a.png b.png || true"))
            let large = try lines(shell("$p --batch --max-pixels 1 large.png a.png || true"))

            #expect(damaged.map(\.status) == ["failed"] && damaged[0].error?.side == "b")
            #expect(large.map(\.status) == ["failed"] && large[0].error?.side == "a")
            #expect(large[0].error?.message.isEmpty == false)
        }

        @Test(arguments: [
            ("$p", "name two images, two folders or two archives"),
            ("$p a.png a.png a.png", "name two images, two folders or two archives"),
            ("$p . a.png", "contains images, but a.png is one image"),
            ("$p a.png .", "contains images, but a.png is one image"),
            ("$p .", "x-expected.png and x-actual.png"),
            ("$p - a.png", "does not read standard input"),
            ("$p --min-ssim 2 a.png a.png", "--min-ssim takes a number from 0 to 1"),
        ])
        func `wrong arguments end with 2 and the reason`(script: String, reason: String) throws {
            defer { program.remove() }
            try writeImage("a.png")

            let run = try shell(script)

            #expect(run.status == .exited(2) && run.output.isEmpty)
            #expect(run.errors.contains(reason), "\(run.errors)")
        }

        @Test(arguments: [
            ("$p a.png none.png", "none.png: No such file"),
            ("mkdir e f; $p e f", "e, f: no images to compare"),
            ("echo a.png >list.txt; $p a.png list.txt", "list.txt: is a feed"),
        ])
        func `an argument that can't be read ends with 66`(script: String, reason: String) throws {
            defer { program.remove() }
            try writeImage("a.png")

            let run = try shell(script)

            #expect(run.status == .exited(66) && run.output.isEmpty)
            #expect(run.errors.hasPrefix("termgallery: \(reason)"), "\(run.errors)")
        }

        @Test func `comparing writes nothing into the disk cache`() throws {
            defer { program.remove() }
            try makeFolders()
            _ = try shell("$p old new || true")

            let names = Set(fileNames(under: "\(program.home)/.cache/termgallery"))
            #expect(names.subtracting(["CACHEDIR.TAG", "leases.lock"]).isEmpty)
        }

        // MARK: git

        private static let repository = """
            git init -q .; git config user.name n; git config user.email e@example.org
            git add old/*.png; git commit -qm one; cp new/changed*.png new/same.png old; \
            cp new/sub/inner.png old
            """

        @Test func `git difftool prints the figures of each changed image`() throws {
            defer { program.remove() }
            try makeFolders()

            let run = try shell(
                "\(Self.repository); git add -N old/inner.png; git difftool -y -x \"$p\""
            )

            #expect(run.status == .exited(0), "\(run.errors)")
            #expect(run.lines.count { $0.hasSuffix("  changed 9.png") } == 1)
            #expect(run.lines.contains("inner.png: only in B"))
            #expect(run.lines.count { $0 == "1 pair: 1 different" } == 2)
        }

        @Test func `git difftool --dir-diff compares all changed images in one table`() throws {
            defer { program.remove() }
            try makeFolders()

            let run = try shell(
                "\(Self.repository); "
                    + #"git config difftool.both.cmd "$p -r \"\$LOCAL\" \"\$REMOTE\"";"#
                    + "git difftool -d -t both"
            )

            #expect(run.lines.last == "2 pairs: 2 different", "\(run.errors)")
            #expect(run.text.contains("  old/changed 10.png"))
        }

        @Test func `a diff driver shows the figures in git diff`() throws {
            defer { program.remove() }
            try makeFolders()

            let run = try shell(
                """
                \(Self.repository); echo '*.png diff=image' >.gitattributes
                git config diff.image.command "f() { $p \\"\\$2\\" \\"\\$5\\" || true; }; f"
                git diff
                """
            )

            #expect(run.status == .exited(0), "\(run.errors)")
            #expect(run.lines.count { $0 == "1 pair: 1 different" } == 2)
        }
    }
}
