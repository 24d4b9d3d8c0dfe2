public import Foundation

/// The costs and the output of one run of a program.
public struct ChildRun: Sendable {
    /// CPU time in the program and in the kernel, in milliseconds.
    public let cpuMilliseconds: Double
    /// The largest resident size in megabytes (10⁶ bytes).
    public let peakMegabytes: Double
    /// The seconds from start to end.
    public let seconds: Double
    /// The exit status; 0 means success.
    public let exitStatus: Int
    /// The output; empty if it was not requested.
    public let output: Data

    /// Runs `program` on images through `ChildMeter` and waits for its end; nil if the meter could
    /// not be started.
    ///
    /// Standard input is empty, and the output is discarded unless `keepsOutput` is true.
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

    /// The same environment for every program and machine: a terminal with 24-bit color, and no
    /// cache.
    private static let environment = [
        "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "HOME": NSTemporaryDirectory(),
        "XDG_CACHE_HOME": NSTemporaryDirectory() + "termgallery-bench-no-cache",
    ]
}
