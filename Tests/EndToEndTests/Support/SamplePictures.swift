import Decoders
import DemoServer
import Feeds
import Glibc

/// Small pictures, told apart by their red.
enum SamplePictures {
    /// Returns an image whose red value is its number, and whose other colors change from pixel to
    /// pixel.
    static func pixels(number: Int) -> PixelBuffer {
        let side = 48
        var bytes: [UInt8] = []
        for row in 0..<side {
            for column in 0..<side {
                bytes += [red(number: number), UInt8(column * 5), UInt8(row * 5), 255]
            }
        }
        return PixelBuffer(
            size: PixelSize(width: side, height: side),
            bytes: bytes,
            hasAlpha: false
        )
    }

    /// Adjacent numbers differ by much more than JPEG changes a color.
    static func red(number: Int) -> UInt8 { UInt8(number * 67 % 200 + 50) }

    /// A file: every third is a JPEG.
    static func file(number: Int) throws -> (name: String, bytes: [UInt8]) {
        let pixels = pixels(number: number)
        guard number % 3 == 0 else {
            return ("picture \(number).png", try PNGEncoder.encode(pixels))
        }
        return ("picture \(number).jpg", try JPEGEncoder.encode(pixels, quality: 95))
    }
}

extension TestProgram {
    /// Makes a folder of numbered pictures in the home; its path.
    func pictureFolder(count: Int) throws -> String {
        let folder = "\(home)/pictures"
        mkdir(folder, 0o700)
        for number in 1...count {
            let file = try SamplePictures.file(number: number)
            try write(file.bytes, to: "pictures/\(file.name)")
        }
        return folder
    }

    /// Writes a file in the home; its path.
    @discardableResult
    func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        let path = "\(home)/\(name)"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let bytes = Array(bytes)
        guard descriptor >= 0, Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw PseudoTerminalError.cannotStart(errno)
        }
        return path
    }

    /// Writes a feed in the home; its path.
    func feed(_ lines: [String]) throws -> String {
        try write(lines.joined(separator: "\n").utf8, to: "feed.txt")
    }
}

/// A demo server whose pictures are small and misbehave as their queries say; stopped with `stop`.
struct PictureServer {
    let server: DemoServer

    init(count: Int = 100) throws {
        server = try DemoServer.start(DemoConfiguration(count: count))
    }

    var counters: DemoCounters { server.counters }

    /// The address of a small picture.
    func url(_ number: Int, format: String = "png", query: String = "") -> String {
        let more = query.isEmpty ? "" : "&\(query)"
        return "http://127.0.0.1:\(server.port)/pictures/\(number).\(format)?width=80\(more)"
    }

    /// Lines of a feed, captioned "Picture N".
    func lines(_ numbers: ClosedRange<Int>, query: String = "") -> [String] {
        numbers.map { "\(url($0, query: query)) Picture \($0)" }
    }

    func stop() {
        server.stop()
    }
}
