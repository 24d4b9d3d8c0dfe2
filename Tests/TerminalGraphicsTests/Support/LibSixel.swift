import Decoders
import Foundation

/// libsixel's programs, which `setup.sh` installs: somebody else's sixels, and eyes for ours.
enum LibSixel {
    struct Failure: Error {
        let program: String
        let status: Int32
    }

    /// What `sixel2png` makes of a control string.
    static func decode(_ sixels: [UInt8]) throws -> PixelBuffer {
        let file = try run("sixel2png", [], input: sixels)
        return try Pictures.decoded(file)
    }

    /// What `img2sixel` makes of a picture in `colorCount` colours, without dithering.
    static func encode(_ pixels: PixelBuffer, colorCount: Int) throws -> [UInt8] {
        let arguments = ["-p", "\(colorCount)", "-d", "none", "-q", "high"]
        return try run("img2sixel", arguments, input: PNGEncoder.encode(pixels))
    }

    private static func run(
        _ program: String,
        _ arguments: [String],
        input: [UInt8]
    ) throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("sixels-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (read, written) = (
            folder.appendingPathComponent("in"), folder.appendingPathComponent("out")
        )
        try Data(input).write(to: read)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments + ["-o", written.path] + [read.path]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(program: program, status: process.terminationStatus)
        }
        return Array(try Data(contentsOf: written))
    }
}
