import Decoders
import Glibc
import Testing

struct SampleFeedsTests {
    /// Found from this file's own place, whatever folder the tests run in.
    private static let folder =
        #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/sample-feeds/"

    private static func bytes(of path: String) -> [UInt8] {
        guard let file = fopen(folder + path, "r") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
        return bytes
    }

    @Test func `every line of the local feed is an image that decodes`() throws {
        let text = String(decoding: Self.bytes(of: "local.txt"), as: UTF8.self)
        let paths = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { String($0.prefix { $0 != " " }) }

        #expect(paths.count == 24)
        for path in paths {
            let picture = try DecoderRegistry.standard.decode(
                Self.bytes(of: path),
                options: DecodingOptions()
            )
            #expect(picture.pixels.size.width >= 100, "\(path)")
        }
    }

    @Test func `the images in the repository stay under 600 kB together`() {
        let text = String(decoding: Self.bytes(of: "local.txt"), as: UTF8.self)
        let sizes = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { Self.bytes(of: String($0.prefix { $0 != " " })).count }

        #expect(sizes.count == 24)
        #expect(sizes.reduce(0, +) < 600_000)
        #expect(!sizes.contains(0))
    }
}
