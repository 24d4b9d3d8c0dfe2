import DecoderContracts
import Decoders
import Testing

/// The fuzzers' corpus, including damage that they found, checked with all contracts of the
/// fuzzers.
@Suite struct DamageCorpusTests {
    private static let contracts: [(folder: String, contracts: [Contract])] = [
        ("JPEG", [.jpeg, .incremental, .damage]),
        ("JPEGFast", [.jpegFast, .incremental, .damage]),
        ("PNG", [.png, .pngFast, .incremental, .damage]),
        ("EXIF", [.exif]),
        ("ICC", [.profile]),
    ]

    private static let limits = DecodingLimits(maximumPixelCount: 1 << 18)

    @Test(arguments: contracts.indices)
    func `each file of the corpus keeps every contract of its format`(index: Int) throws {
        let (folder, contracts) = Self.contracts[index]

        for file in try DamageCorpus.files(in: folder) {
            for contract in contracts {
                do {
                    try contract.check(file.bytes)
                } catch {
                    Issue.record("\(file.name), \(contract.name): \(error)")
                }
            }
        }
    }

    @Test(arguments: ["JPEG", "JPEGFast", "PNG"], [true, false])
    func `each damaged file has its recorded result, with fast paths and without`(
        folder: String,
        usesFastPaths: Bool
    ) throws {
        let results = try DamageCorpus.expectedResults()
        let options = DecodingOptions(
            targetSize: PixelSize(width: 12, height: 12),
            limits: Self.limits,
            usesFastPaths: usesFastPaths
        )

        for file in try DamageCorpus.files(in: folder) {
            let result = Self.result(of: file.bytes, options)
            #expect(result == results[file.name], "\(file.name) \(result)")
        }
    }

    private static func result(of bytes: [UInt8], _ options: DecodingOptions) -> String {
        do throws(ImageDecodingError) {
            _ = try DecoderRegistry.standard.decode(bytes, options: options)
            return "picture"
        } catch {
            return switch error {
            case .unsupportedFormat: "unknown"
            case .truncated: "truncated"
            case .corrupt: "corrupt"
            case .unsupportedFeature: "unsupported"
            case .empty: "empty"
            case .cancelled: "cancelled"
            default: "limit"
            }
        }
    }
}
