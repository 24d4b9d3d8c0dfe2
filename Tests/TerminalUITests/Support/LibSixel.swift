import Decoders
import Foundation
import Glibc

@testable import TerminalUI

/// The programs of libsixel, which `setup.sh` installs: an independent encoder and decoder.
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

    /// Returns the output of `img2sixel` for an image in `colorCount` colors, without dithering.
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
        let status = spawn([program] + arguments + ["-o", written.path, read.path])
        guard status == 0 else { throw Failure(program: program, status: status) }
        return Array(try Data(contentsOf: written))
    }

    /// Runs a program to its end; its status as `waitpid` has it.
    ///
    /// Not by Foundation's `Process`, which leaks a little.
    private static func spawn(_ words: [String]) -> Int32 {
        let arguments = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        let environment: [UnsafeMutablePointer<CChar>?] = [nil]
        var process: pid_t = 0
        var status: Int32 = -1
        guard posix_spawnp(&process, words[0], nil, nil, arguments, environment) == 0 else {
            return status
        }
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }
}
