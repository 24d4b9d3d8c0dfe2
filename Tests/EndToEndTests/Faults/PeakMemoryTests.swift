import Decoders
import Foundation
import Testing

extension EndToEndFaults {
    /// The memory of `print` with images of 120 and 200 megapixels.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct PeakMemoryTests {
        enum Kind: String, CaseIterable {
            case baseline
            case progressive
            case png
        }

        // MARK: - Files

        /// The size of the JPEGs: 200 megapixels.
        private static let size = PixelSize(width: 20_000, height: 10_000)
        /// The size of the part of which the JPEGs consist: a row of MCUs of 16 by 16 pixels.
        private static let part = PixelSize(width: 2_000, height: 16)

        /// Returns a JPEG in which the coded data of a small image is repeated.
        ///
        /// A restart marker follows each repetition, and the restart interval is the size of the small
        /// image in MCUs. In a scan with one component, an MCU is one block.
        private static func jpeg(progressive: Bool) throws -> [UInt8] {
            let pixels = (0..<part.pixelCount).flatMap { index -> [UInt8] in
                let (x, y) = (index % part.width, index / part.width)
                return [UInt8(x % 251), UInt8(x / 8 % 2 * 90 + y * 4), UInt8(x / 16 % 7 * 30), 255]
            }
            let small = try JPEGEncoder.encode(
                PixelBuffer(size: part, bytes: pixels, hasAlpha: false),
                quality: 60,
                progressive: progressive
            )
            let count = size.pixelCount / part.pixelCount
            var (file, place) = (Array(small[..<2]), 2)
            while small[place + 1] != 0xD9 {
                let end = place + 2 + number(small, at: place + 2)
                var segment = Array(small[place..<end])
                place = end
                if [0xC0, 0xC2].contains(segment[1]) {
                    segment.replaceSubrange(5..<9, with: bytes(size.height) + bytes(size.width))
                }
                guard segment[1] == 0xDA else {
                    file += segment
                    continue
                }
                let blocks = part.width / 16 * (segment[4] == 1 && segment[5] == 1 ? 4 : 1)
                file += [0xFF, 0xDD, 0, 4] + bytes(blocks) + segment
                let next = small.indices[place...].first {
                    small[$0] == 0xFF && small[$0 + 1] != 0
                }
                let data = Array(small[place..<(next ?? small.count)])
                for index in 0..<count {
                    file += data
                    if index < count - 1 { file += [0xFF, 0xD0 + UInt8(index % 8)] }
                }
                place += data.count
            }
            return file + [0xFF, 0xD9]
        }

        private static func number(_ bytes: [UInt8], at place: Int) -> Int {
            Int(bytes[place]) << 8 | Int(bytes[place + 1])
        }

        private static func bytes(_ number: Int) -> [UInt8] {
            [UInt8(number >> 8), UInt8(number & 255)]
        }

        /// Writes a PNG of 30,000 by 4,000 pixels, in which the compressed data of a row is repeated.
        private static let pngScript = """
            import struct, sys, zlib
            width, height = 30000, 4000
            row = bytes(1) + bytes(value % 253 for value in range(width * 3))
            deflate = zlib.compressobj(6)
            start = deflate.compress(b"")
            first = deflate.compress(row) + deflate.flush(zlib.Z_FULL_FLUSH)
            each = deflate.compress(row) + deflate.flush(zlib.Z_FULL_FLUSH)
            checksum = 1
            for _ in range(height): checksum = zlib.adler32(row, checksum)
            data = start + first + each * (height - 1) + b"\\x03\\x00" + struct.pack(">I", checksum)
            def chunk(name, body):
                return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
            with open(sys.argv[1], "wb") as file:
                file.write(b"\\x89PNG\\r\\n\\x1a\\n")
                file.write(chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)))
                file.write(chunk(b"IDAT", data) + chunk(b"IEND", b""))
            """

        private static func write(_ kind: Kind, to path: String, for program: TestProgram) throws {
            switch kind {
            case .baseline, .progressive:
                let file = try jpeg(progressive: kind == .progressive)
                try Data(file).write(to: URL(fileURLWithPath: path))
            case .png:
                let run = try ProgramRun(
                    "/usr/bin/python3",
                    ["-c", pngScript, path],
                    environment: program.environment()
                )
                try #require(run.status == .exited(0), "\(run.errors)")
            }
        }

        // MARK: - Memory

        /// Starts a program, and writes its peak memory in KiB to the standard error.
        ///
        /// Linux counts the memory of the starting process as memory of the started program, so a small
        /// process must start it.
        private static let meter = """
            import os, sys
            process = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
            _, status, usage = os.wait4(process, 0)
            print("peak", usage.ru_maxrss, file=sys.stderr)
            sys.exit(os.waitstatus_to_exitcode(status))
            """

        /// Prints the files, and returns the output and the peak memory in MiB.
        private static func print(
            _ paths: [String],
            with program: TestProgram
        ) throws -> (text: String, peak: Int) {
            let run = try ProgramRun(
                "/usr/bin/python3",
                ["-c", meter, program.path, "print"] + paths,
                environment: program.environment(colorTerm: "truecolor"),
                // Without optimization, eight images took over a minute on a busy machine.
                atMost: .seconds(240)
            )
            try #require(run.status == .exited(0), "\(run.errors)")
            let peak = run.errors.split(separator: " ").last.flatMap { Int($0.filter(\.isNumber)) }
            return (run.text, try #require(peak) >> 10)
        }

        /// The limits have headroom for other libraries and allocators.
        @Test(arguments: [(Kind.baseline, 72), (.progressive, 72), (.png, 64)])
        func `a huge image is printed in little memory`(kind: Kind, limit: Int) throws {
            let program = TestProgram()
            defer { program.remove() }
            let path = "\(program.home)/huge.\(kind == .png ? "png" : "jpg")"
            try Self.write(kind, to: path, for: program)

            let (text, peak) = try Self.print([path], with: program)

            #expect(text.contains("▀") && !text.contains("✗"))
            #expect(peak < limit, "\(kind.rawValue): \(peak) MiB")
        }

        @Test func `eight huge images at once are printed in little memory`() throws {
            let program = TestProgram()
            defer { program.remove() }
            let kinds: [Kind] = [.baseline, .progressive]
            for kind in kinds {
                try Self.write(kind, to: "\(program.home)/\(kind.rawValue).jpg", for: program)
            }
            let paths = (0..<8).map { index in "\(program.home)/\(index).jpg" }
            for (index, path) in paths.enumerated() {
                let source = "\(program.home)/\(kinds[index % 2].rawValue).jpg"
                try FileManager.default.linkItem(atPath: source, toPath: path)
            }

            let (text, peak) = try Self.print(paths, with: program)

            #expect(text.contains("▀") && !text.contains("✗"))
            #expect(peak < 160, "\(peak) MiB")
        }
    }
}
