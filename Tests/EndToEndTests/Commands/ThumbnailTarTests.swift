import DemoServer
import Feeds
import Foundation
import PropertyRuns
import TerminalUI
import Testing

extension EndToEnd {
    /// `fetch --thumbnails`, read by Python's tarfile and by ourselves.
    @Suite struct ThumbnailTarTests {
        private let program = TestProgram()

        /// A member of a tar, as Python reads it.
        private struct Member: Decodable {
            let name: String
            let size: Int
            let text: String?
        }

        private func members(of tar: String) throws -> [Member] {
            let script = """
                import json, sys, tarfile
                with tarfile.open(sys.argv[1], "r:") as tar:
                    for member in tar:
                        text = tar.extractfile(member).read()
                        print(json.dumps({"name": member.name, "size": member.size, "text":
                            text.decode() if member.name.endswith(".json") else None}))
                """
            let run = try ProgramRun(
                "/usr/bin/python3",
                ["-c", script, tar],
                environment: program.environment()
            )
            try #require(run.status == .exited(0), "\(run.errors)")
            return try run.lines.map {
                try JSONDecoder().decode(Member.self, from: Data($0.utf8))
            }
        }

        private func shell(_ script: String) throws -> ProgramRun {
            try ProgramRun(
                "/bin/sh",
                ["-c", script],
                environment: program.environment(adding: ["P": program.path])
            )
        }

        @Test
        func `a tar has an image and its metadata for each loaded entry, in adjacent members`()
            throws
        {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let lines = (1...20).map {
                #"{"url":"\#(server.url($0))","caption":"c \#($0)","id":\#($0)}"#
            }
            let missing = #"{"url":"\#(server.url(3, query: "status=404"))"}"#
            let list = try program.write(
                (lines + [missing]).joined(separator: "\n").utf8,
                to: "list.jsonl"
            )
            let tar = "\(program.home)/out.tar"

            let run = try program.run(
                ["fetch", "--jsonl", "--thumbnails", tar, "--size", "32", list]
            )
            let members = try members(of: tar)
            let ours = try program.run(["fetch", "--jsonl", tar])

            #expect(run.status == .exited(1))
            #expect(members.count == 40)
            for index in stride(from: 0, to: members.count, by: 2) {
                let (picture, facts) = (members[index], members[index + 1])
                let key = picture.name.prefix { $0 != "." }
                #expect(picture.name == "\(key).jpg" && facts.name == "\(key).json")
                let object = try #require(
                    JSONSerialization.jsonObject(with: Data((facts.text ?? "").utf8))
                        as? [String: Any]
                )
                // Keys are places in the list.
                #expect(object["id"] as? Int == (Int(key) ?? -2) + 1)
                #expect(object["caption"] as? String == "c \((Int(key) ?? -2) + 1)")
                let sides = ["width", "height"].map { object["thumbnail_\($0)"] as? Int ?? 0 }
                #expect(sides.max() == 32)
                #expect((object["phash"] as? String)?.count == 16)
            }
            #expect(Set(members.map(\.name)).count == 40)
            #expect(ours.status == .exited(0) && ours.lines.count == 20)
            #expect(try run.reports().values.count { $0.shard == "out.tar" } == 20)
        }

        @Test func `a full disk ends the run with the reason and leaves no tar`() throws {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let list = try program.feed(
                (1...30).map { server.url($0).replacing("width=80", with: "width=240") }
            )
            let folder = "\(program.home)/shards"

            // As if the disk were full after 512 KiB. With less the thread sanitizer does not start.
            let options = "--no-disk-cache --size 240 --thumbnail-format png --thumbnails"
            let run = try shell(
                """
                ulimit -f 1024
                $P fetch \(options) '\(program.home)/out.tar' '\(list)'; echo $?
                $P fetch \(options) '\(folder)' '\(list)'; echo $?
                """
            )

            #expect(run.text == "71\n71\n")
            #expect(
                run.errors.split(separator: "\n").allSatisfy { $0.hasSuffix(": File too large") }
            )
            #expect(!FileManager.default.fileExists(atPath: "\(program.home)/out.tar"))
            #expect(fileNames(under: folder).isEmpty)
        }

        @Test func `killed runs are resumed from whole shards, and each key is reported once`()
            throws
        {
            let server = try PictureServer(count: 200)
            defer {
                server.stop()
                program.remove()
            }
            let list = try program.feed((1...200).map { server.url($0, query: "latency=5") })
            let (done, folder) = ("\(program.home)/done.jsonl", "\(program.home)/shards")
            let command =
                "$P fetch --jsonl --resume '\(done)' --thumbnails '\(folder)' --shard-size 16 "
                + "--size 16 '\(list)' >>'\(done)'"

            for _ in 0..<(PropertyRuns.isSanitized ? 1 : 4) {
                _ = try shell(
                    """
                    before=$(cat '\(done)' 2>/dev/null | wc -l)
                    \(command) &
                    while [ "$(cat '\(done)' 2>/dev/null | wc -l)" -lt $((before + 20)) ] &&
                        kill -0 $!; do sleep 0.01; done
                    kill -9 $!; wait $!
                    """
                )
            }
            let last = try shell(command)

            #expect(last.status == .exited(0))
            let shards = fileNames(under: folder).sorted()
            #expect(shards == (0..<shards.count).map { String(format: "%05d.tar", $0) })
            var keys: [String: String] = [:]
            for shard in shards {
                for member in try members(of: "\(folder)/\(shard)") where member.text != nil {
                    let key = String(member.name.dropLast(5))
                    #expect(keys.updateValue(shard, forKey: key) == nil, "\(key) twice")
                }
            }
            #expect(Set(keys.keys) == Set((0..<200).map { String(format: "%09d", $0) }))
            let text = try String(contentsOfFile: done, encoding: .utf8)
            let reports = try text.split(separator: "\n").map {
                try JSONDecoder().decode(FetchLine.self, from: Data($0.utf8))
            }
            #expect(reports.count == 200)
            #expect(reports.allSatisfy { $0.shard == keys[$0.key ?? ""] })
        }

        @Test func `contradictory options of thumbnail tars are refused`() throws {
            defer { program.remove() }
            let list = try program.feed(["/none.jpg"])
            for arguments in [
                ["--thumbnails", "x.tar", "--shard-size", "5"], ["--shard-size", "5"],
                ["--thumbnails", "x.tar", "--resume", "d"], ["--size", "4"], ["--quality", "0"],
                ["--thumbnail-format", "gif"],
            ] {
                #expect(try program.run(["fetch"] + arguments + [list]).status == .exited(2))
            }
        }
    }
}
