import Testing

@testable import Decoders

/// The decoders for PNG.
enum PNGPaths {
    typealias Outcome = Result<DecodedImage, ImageDecodingError>

    /// Decodes a file with or without our own decoder.
    static func decode(
        _ bytes: [UInt8],
        _ options: DecodingOptions = DecodingOptions(),
        fast: Bool
    ) -> Outcome {
        var options = options
        options.usesFastPaths = fast
        do throws(ImageDecodingError) {
            return .success(try PNGDecoder().decode(bytes, options: options))
        } catch {
            return .failure(error)
        }
    }

    /// Returns whether our own decoder accepts the file, both inflated at once and a few rows at a
    /// time; nil if the pixels differ or libpng refuses its header.
    static func isFast(_ bytes: [UInt8], _ options: DecodingOptions = DecodingOptions()) -> Bool? {
        guard case .success(let whole) = ownPixels(bytes, options, limit: .max),
            case .success(let streamed) = ownPixels(bytes, options, limit: 0)
        else { return nil }
        return (whole != nil) == (streamed != nil) ? whole != nil : nil
    }

    /// Decodes a file with our own decoder, which stores at most `limit` bytes of rows.
    private static func ownPixels(
        _ bytes: [UInt8],
        _ options: DecodingOptions,
        limit: Int
    ) -> Result<PixelBuffer?, ImageDecodingError> {
        bytes.withUnsafeBufferPointer { buffer in
            do throws(ImageDecodingError) {
                let reader = try PNGReader(buffer)
                _ = try reader.readHeader()
                let properties = try PNGDecoder().probe(bytes)
                let plan = try DecodingPlan(properties: properties, options: options)
                return .success(
                    try PNGDecoder()
                        .fastPixels(of: buffer, reader: reader, plan: plan, limit: limit)
                )
            } catch {
                return .failure(error)
            }
        }
    }

    /// Expects that both decoders have the same outcome, at full size, reduced and as a preview.
    static func expectSameOutcome(
        _ bytes: [UInt8],
        _ comment: Comment,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let box = PixelSize(width: 5, height: 4)
        for options in [
            DecodingOptions(), DecodingOptions(targetSize: box),
            DecodingOptions(targetSize: box, acceptsTruncation: true),
        ] {
            let fast = decode(bytes, options, fast: true)
            let slow = decode(bytes, options, fast: false)
            #expect(fast == slow, comment, sourceLocation: sourceLocation)
            guard case .success(let streamed?) = ownPixels(bytes, options, limit: 0) else {
                continue
            }
            let image = try? slow.get()
            #expect(streamed == image?.pixels, comment, sourceLocation: sourceLocation)
        }
    }
}
