import Decoders
import Glibc
import Testing

@testable import CrashingHelper
@testable import ImageLoading
import SystemSupport

/// Isolated decoders return the same pixels as the decoders themselves.
@Suite struct IsolatedPixelsTests {
    private let isolated = IsolationBench.registry(.always)
    private let plain = IsolationBench.decoders

    @Test(arguments: try IsolationBench.files)
    func `a helper's image equals the decoder's, at every size and in part`(
        _ file: IsolationBench.File
    ) throws {
        var options = [DecodingOptions(), DecodingOptions(usesFastPaths: false)]
        for mode in [ImageContentMode.fit, .fill] {
            options.append(
                DecodingOptions(targetSize: PixelSize(width: 9, height: 14), contentMode: mode)
            )
        }
        for option in options {
            #expect(result(isolated, file.bytes, option) == result(plain, file.bytes, option))
            var partial = option
            partial.acceptsTruncation = true
            let half = Array(file.bytes.prefix(file.bytes.count / 2))
            #expect(result(isolated, half, option) == result(plain, half, option))
            #expect(result(isolated, half, partial) == result(plain, half, partial))
        }
        #expect(try isolated.probe(file.bytes) == plain.probe(file.bytes))
    }

    @Test(arguments: try IsolationBench.files)
    func `previews of an arriving file are equal too`(_ file: IsolationBench.File) throws {
        let options = DecodingOptions(targetSize: PixelSize(width: 20, height: 20))
        var here = IncrementalDecoder(options: options, expected: file.bytes.count)
        var there = IncrementalDecoder(
            options: options,
            registry: isolated,
            expected: file.bytes.count
        )
        for start in stride(from: 0, to: file.bytes.count, by: 3_000) {
            let chunk = Array(file.bytes[start..<min(start + 3_000, file.bytes.count)])
            #expect(here.append(chunk) == there.append(chunk))
        }
        #expect(try here.finish() == there.finish())
    }

    @Test(arguments: try IsolationBench.files)
    func `metadata that a helper reads equals that of this process`(
        _ file: IsolationBench.File
    ) throws {
        let helpers = DecoderHelpers(IsolationBench.configuration(.always), clock: .system)
        let found = try helpers.metadata(of: file.bytes, limits: DecodingLimits())

        #expect(found == file.bytes.withUnsafeBufferPointer(MetadataReader.read))
        #expect(found?.problem == nil)
    }

    @Test func `limits are refused with the same text`() {
        let size = PixelSize(width: 64, height: 48)
        let pixels = PixelBuffer(
            size: size,
            bytes: [UInt8](repeating: 7, count: size.pixelCount * 4),
            hasAlpha: false
        )
        let bytes = (try? PNGEncoder.encode(pixels)) ?? []
        var options = DecodingOptions(limits: DecodingLimits(maximumPixelCount: 100))
        #expect(result(isolated, bytes, options) == result(plain, bytes, options))
        options.limits = DecodingLimits(maximumByteCount: 1_000)
        #expect(result(isolated, bytes, options) == result(plain, bytes, options))
        options.limits = DecodingLimits()
        options.limits.maximumSide = 50
        #expect(result(isolated, bytes, options) == result(plain, bytes, options))
    }

    @Test func `an animation is delivered with all frames, durations and loops`() throws {
        let bytes = CrashingDecoder.file(.animation)

        let image = try isolated.decode(bytes, options: DecodingOptions())

        #expect(try image == plain.decode(bytes, options: DecodingOptions()))
        #expect(image.animation?.frames.count == 3 && image.animation?.loopCount == 7)
    }

    private func result(
        _ registry: DecoderRegistry,
        _ bytes: [UInt8],
        _ options: DecodingOptions
    ) -> Result<DecodedImage, ImageDecodingError> {
        Result { () throws(ImageDecodingError) in try registry.decode(bytes, options: options) }
    }
}

/// Isolated decoders, and files for them.
enum IsolationBench {
    struct Missing: Error { let path: String }

    struct File: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]

        var testDescription: String { name }
    }

    /// The standard decoders, and one that crashes.
    static var decoders: DecoderRegistry {
        var decoders = DecoderRegistry.standard
        decoders.register(CrashingDecoder())
        return decoders
    }

    static func configuration(_ isolation: DecoderIsolation) -> ImageManagerConfiguration {
        var configuration = ImageManagerConfiguration()
        configuration.isolation = isolation
        configuration.decoders = decoders
        configuration.helperProgram = HelperProgram(path: "\(folder)/CrashingHelper")
        return configuration
    }

    static func registry(
        _ isolation: DecoderIsolation,
        configure: (inout ImageManagerConfiguration) -> Void = { _ in }
    ) -> DecoderRegistry {
        var configuration = configuration(isolation)
        configure(&configuration)
        let helpers = DecoderHelpers(configuration, clock: .system)
        return .isolated(configuration, by: isolation == .never ? nil : helpers)
    }

    /// The folder of the test runner and of the other build products.
    static var folder: String {
        var link = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &link, link.count)
        let bytes = link.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
        let path = String(decoding: bytes, as: UTF8.self)
        return "/" + path.split(separator: "/").dropLast().joined(separator: "/")
    }

    /// All JPEG and PNG fixtures, and one file of each other format.
    static var files: [File] {
        get throws {
            let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
            let folder = "/\(tests)/DecodersTests/Fixtures"
            let names = try FolderNames.of(folder).filter {
                $0.hasSuffix(".jpg") || $0.hasSuffix(".png")
            }
            let others = [
                "lossy.webp", "interlaced.gif", "photo.avif", "photo.heic", "lossy.jxl",
                "jpeg.tiff", "drawing.svg", "palette.bmp", "png.ico", "rgb.qoi",
            ]
            return try (names.sorted() + others.map { "Formats/\($0)" })
                .map { File(name: $0, bytes: try read("\(folder)/\($0)")) }
        }
    }

    private static func read(_ path: String) throws -> [UInt8] {
        guard let stream = fopen(path, "rbe") else { throw Missing(path: path) }
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, stream)
        return Array(bytes.prefix(count))
    }
}
