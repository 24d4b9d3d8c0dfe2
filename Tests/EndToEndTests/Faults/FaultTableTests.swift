import DemoServer
import Feeds
import FoundationEssentials
import GalleryCore
import Glibc
import PropertyRuns
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEndFaults {
    /// Every fault that the demo's server has, through `fetch`.
    @Suite struct FaultTableTests {
        /// Those that send all they can, which keeps a sanitizer busy for minutes, are left out there.
        fileprivate static let faults = FaultCase.all.filter { fault in
            !PropertyRuns.isSanitized
                || !["endless", "bomb", "long"].contains { fault.query.contains($0) }
        }

        /// How long a server may be silent, in seconds.
        fileprivate static let silence = PropertyRuns.isSanitized ? 20 : 4

        /// Loads do not wait for a server to return, because none does.
        ///
        /// The timeout is for servers that send nothing; the others get as much time as a busy
        /// machine may take.
        fileprivate static func options(timeout seconds: Int) -> [String] {
            ["--timeout", "\(seconds)", "--transfers", "16", "--patience", "0"]
        }

        /// Returns a name of constant length, such as "B7", so that no name is the prefix of
        /// another.
        fileprivate static func name(_ index: Int) -> String {
            String(UnicodeScalar(UInt8(65 + index / 10))) + "\(index % 10)"
        }

        @Test func `Reliability.md has the table of faults`() throws {
            let rows = FaultCase.all.map(\.row)
            if getenv("WRITE_RELIABILITY") != nil { try Reliability().write(rows) }

            #expect(try Reliability().faults == rows, "run make reliability")
        }

        @Test(arguments: [true, false])
        func `each fault costs its own image, in time, and names the reason`(
            stalls: Bool
        ) throws {
            let faults = Self.faults.filter { $0.isSilence == stalls }
            let program = TestProgram()
            let scene = try FaultyServers(faults.map(\.query))
            defer {
                scene.stop()
                program.remove()
            }
            let (bad, good) = (scene.bad, scene.good)
            let lines = zip(bad, good).flatMap { [$0, $1] }
            let timeout = stalls ? Self.silence : 60
            // The documented limit for a timeout of 4 s, in proportion to the actual timeout.
            let limit = stalls ? 45_000.0 / 4 * Double(timeout) : 45_000

            let run = try program.run(
                ["fetch", "--jsonl"] + Self.options(timeout: timeout) + [program.feed(lines)]
            )

            #expect(run.status == .exited(1))
            let reports = try run.reports()
            #expect(reports.count == lines.count)
            for (index, fault) in faults.enumerated() {
                let failed = reports[bad[index]]
                let message = failed?.error?.message ?? failed?.reason ?? "no error"
                #expect(message.contains(fault.message), "\(fault.query): \(message)")
                #expect(failed.map { Double($0.ms) < limit } == true, "\(fault.query)")
                let neighbor = reports[good[index]]
                #expect(neighbor?.status == "ok", "beside \(fault.query)")
            }
        }
    }
}

extension EndToEndFaults.FaultTableTests {
    // Only the faults of silent servers need a short timeout. A busy machine may be silent for as
    // long, and an image of another fault that timed out would have the wrong sign.
    @Test(arguments: [true, false])
    func `each fault is one failed cell, next to images that are drawn`(stalls: Bool) throws {
        let faults = Self.faults.filter { $0.isSilence == stalls }
        let program = TestProgram()
        let scene = try FaultyServers(faults.map(\.query))
        defer {
            scene.stop()
            program.remove()
        }
        let lines = faults.indices.flatMap { index in
            [
                "\(scene.bad[index]) Bad\(Self.name(index))",
                "\(scene.good[index]) Good\(Self.name(index))",
            ]
        }

        let terminal = try program.openGallery(
            Self.options(timeout: stalls ? Self.silence : 60) + [program.feed(lines)],
            size: ScreenSize(columns: 200, rows: 100)
        )

        for (index, fault) in faults.enumerated() {
            let name = Self.name(index)
            try terminal.expect("a picture beside \(fault.query)") {
                $0.shows("↓", after: "Good\(name)")
            }
            try terminal.expect("a sign for \(fault.query)") { screen in
                fault.signs.contains { screen.shows($0, after: "Bad\(name)") }
            }
        }
        terminal.type("q")
        try terminal.expectEnd(.exited(0))
    }
}

/// A picture for each fault, and beside each a good one.
///
/// Each fault has a server of its own, since one that fails again and again is left alone, and is busy
/// if it never ends.
private struct FaultyServers {
    let bad: [String]
    let good: [String]
    private let servers: [PictureServer]

    init(_ queries: [String]) throws {
        let neighbor = try PictureServer()
        let faulty = try queries.map { _ in try PictureServer() }
        bad = zip(faulty, queries).map { $0.url(1, query: $1) }
        good = queries.indices.map { neighbor.url($0 + 1) }
        servers = [neighbor] + faulty
    }

    func stop() {
        for server in servers { server.stop() }
    }
}
