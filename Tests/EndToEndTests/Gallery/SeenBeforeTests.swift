import Decoders
import Feeds
import Glibc
import TerminalUI
import Testing

extension EndToEnd {
    /// Pictures that were seen before: shown without a decode, and without their server.
    @Suite struct SeenBeforeTests {
        private let program = TestProgram()

        /// Returns the events and the output of a run of `print`.
        private func printed(
            _ feed: [String]
        ) throws -> (output: String, errors: String, trace: String) {
            let trace = "\(program.home)/trace"
            unlink(trace)
            let run = try program.run(["print", "--columns", "4", "--trace", trace] + feed)
            #expect(run.status == .exited(0))
            return (run.text, run.errors, try text(of: trace))
        }

        private func text(of path: String) throws -> String {
            let file = open(path, O_RDONLY | O_CLOEXEC)
            try #require(file >= 0)
            defer { close(file) }
            var bytes = [UInt8](repeating: 0, count: 1 << 20)
            let count = read(file, &bytes, bytes.count)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }

        /// Returns the output with the network symbol replaced by the disk symbol.
        private func fromDisk(_ output: String) -> String {
            String(output.map { $0 == "↓" ? "■" : $0 })
        }

        private func count(_ event: String, in trace: String) -> Int {
            trace.split(separator: "\n").count { $0.contains("\"event\":\"\(event)\"") }
        }

        /// A picture of some 50 kB, which its server says nothing about but that it is old.
        private func writePictures(_ numbers: ClosedRange<Int>) throws {
            let size = PixelSize(width: 160, height: 120)
            for number in numbers {
                var state = UInt64(number)
                let bytes = (0..<(size.pixelCount * 4)).map { index in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: state >> 56)
                }
                let pixels = PixelBuffer(size: size, bytes: bytes, hasAlpha: false)
                let path = try program.write(PNGEncoder.encode(pixels), to: "www/\(number).png")
                let time = timespec(tv_sec: 1_500_000_000, tv_nsec: 0)
                try #require(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
            }
        }

        @Test func `web images printed before are printed the same again, without decoding`()
            throws
        {
            defer { program.remove() }
            let nginx = try NginxRun(program)
            try writePictures(1...20)
            let feed = [try program.feed((1...20).map { nginx.url("\($0).png") })]
            let first = try printed(feed)

            let second = try printed(feed)

            #expect(second.output == fromDisk(first.output))
            #expect(count("decoded", in: first.trace) >= 20)
            #expect(count("decoded", in: second.trace) == 0)
            #expect(count("hit", in: second.trace) == 20)
            nginx.stop()
            #expect(try printed(feed).output == second.output)
        }

        @Test func `without a disk cache no thumbnails are stored`() throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 3)

            _ = try program.run(["print", "--no-disk-cache", folder])

            #expect(fileNames(under: "\(program.home)/.cache").isEmpty)
        }

        @Test func `a cached feed is shown without its server, which is reported`() throws {
            defer { program.remove() }
            let nginx = try NginxRun(program)
            try writePictures(1...6)
            try program.write((1...6).map { "\($0).png\n" }.joined().utf8, to: "www/feed.txt")
            let first = try printed([nginx.url("feed.txt")])

            nginx.stop()

            let second = try printed([nginx.url("feed.txt")])
            #expect(try printed(["--offline", nginx.url("feed.txt")]).output == second.output)
            #expect(second.output == fromDisk(first.output))
            #expect(second.errors.contains("showing the last known state"))
            let other = try program.run(["print", nginx.url("other.txt")])
            #expect(other.status == .exited(66))
        }
    }
}
