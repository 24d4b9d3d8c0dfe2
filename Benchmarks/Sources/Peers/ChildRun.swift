public import Foundation

/// What a run of a program cost and printed.
public struct ChildRun: Sendable {
    /// CPU time in the program and in the kernel, in milliseconds.
    public let cpuMilliseconds: Double
    /// The largest resident size in megabytes (of 10⁶ bytes).
    public let peakMegabytes: Double
    /// Seconds from its start to its end.
    public let seconds: Double
    /// 0 if it says that all went well.
    public let exitStatus: Int
    /// What it printed; empty if that wasn't wanted.
    public let output: Data

    /// Runs `program` on pictures through `ChildMeter` and waits for its end; nil if the meter could
    /// not be started.
    ///
    /// Its standard input is empty, its output is thrown away unless `keepsOutput`.
    public init?(_ program: Program, _ arguments: [String], keepsOutput: Bool = false) {
        let process = Process()
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        process.executableURL = folder.appendingPathComponent("ChildMeter")
        process.arguments = program.command + arguments
        process.environment = Self.environment
        process.standardInput = FileHandle.nullDevice
        let (printed, report) = (Pipe(), Pipe())
        process.standardOutput = keepsOutput ? printed : FileHandle.nullDevice
        process.standardError = report
        guard (try? process.run()) != nil else { return nil }
        output = keepsOutput ? printed.fileHandleForReading.readDataToEndOfFile() : Data()
        let line = report.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let figures = String(decoding: line, as: UTF8.self)
            .split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard figures.count == 5 else { return nil }
        cpuMilliseconds = (figures[0] + figures[1]) / 1000
        peakMegabytes = figures[2] * 1024 / 1e6
        seconds = figures[3] / 1e6
        exitStatus = Int(figures[4])
    }

    /// The same for every program and machine: a terminal with 24-bit colour, and no cache.
    private static let environment = [
        "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "HOME": NSTemporaryDirectory(),
        "XDG_CACHE_HOME": NSTemporaryDirectory() + "termgallery-bench-no-cache",
    ]
}
