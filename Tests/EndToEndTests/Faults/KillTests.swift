import DemoServer
import Feeds
import Foundation
import PropertyRuns
import TerminalUI
import Testing

extension EndToEndFaults {
    /// Programs that are killed while they load and write.
    @Suite struct KillTests {
        /// The number of times that a program or a group of them is killed; `KILLS=2000` changes
        /// it.
        private static let killCount = PropertyRuns.count(20, unless: "KILLS", least: 4)
        private static let pictures = 1...400

        private let program = TestProgram()

        @Test(arguments: [1, 4])
        func `a program killed at any moment leaves only bodies that the server sent`(
            programCount: Int
        ) throws {
            let server = try PictureServer(count: Self.pictures.count)
            defer {
                server.stop()
                program.remove()
            }
            var random = SystemRandomNumberGenerator()
            // Room for few of them, so that of any forty more than twenty are asked for.
            let cache = ["--cache-dir", "\(program.home)/cache", "--disk-cache", "400k"]
            var asked: Set<Int> = []

            for _ in 0..<(Self.killCount / 2) {
                let numbers = Self.pictures.shuffled(using: &random).prefix(40)
                asked.formUnion(numbers)
                let feed = try program.feed(numbers.map { server.url($0) })
                let before = server.counters.requests
                let runs = try (0..<programCount).map { _ in
                    try BackgroundRun(
                        program.path,
                        ["fetch"] + cache + [feed],
                        environment: program.environment()
                    )
                }
                let count = Int.random(in: 1...20, using: &random)
                #expect(eventually { server.counters.requests >= before + count })
                for run in runs { run.killAtOnce() }
            }

            let served = try bodies(of: asked, from: server)
            for name in fileNames(under: "\(program.home)/cache") where name.hasSuffix(".png") {
                guard !name.hasPrefix("part-"), !name.hasPrefix("tmp-") else { continue }
                let body = try Data(contentsOf: URL(filePath: "\(program.home)/cache/\(name)"))
                #expect(served.contains(body), "\(name), \(body.count) bytes")
            }
            let last = try program.feed(asked.prefix(40).map { server.url($0) })
            let run = try program.run(["fetch", "--jsonl"] + cache + [last])
            #expect(run.status == .exited(0))
            #expect(try run.reports().values.allSatisfy { $0.status == "ok" })
        }

        /// Returns the images as curl receives them.
        private func bodies(of numbers: Set<Int>, from server: PictureServer) throws -> Set<Data> {
            let lines = numbers.flatMap { number in
                ["url = \"\(server.url(number))\"", "output = \"\(program.home)/\(number).body\""]
            }
            let list = try program.write(lines.joined(separator: "\n").utf8, to: "curl.txt")
            let run = try ProgramRun("/usr/bin/curl", ["-s", "-K", list], environment: [:])
            #expect(run.status == .exited(0))
            return try Set(
                numbers.map { try Data(contentsOf: URL(filePath: "\(program.home)/\($0).body")) }
            )
        }
    }
}
