import Decoders
import Measuring

/// The images of one kind, decoded in turn by our own decoders and by libjpeg or libpng alone.
struct Contest {
    /// CPU time in milliseconds, by run and image.
    private typealias Times = [[Double]]

    private static let runs = 5
    private static let box = PixelSize(width: 40, height: 40)

    let kind: PictureKind
    let pictureCount: Int
    private var own: Times = []
    private var library: Times = []

    /// Decodes all images; throws if an image cannot be decoded.
    init(_ kind: PictureKind) throws {
        let files = try Corpus.files(kind).map(FileBytes.read)
        self.kind = kind
        pictureCount = files.count
        // Small images are decoded several times, because otherwise the clock would affect the
        // figure.
        let repetitions = (files.map(\.count).max() ?? 0) < 2_000_000 ? 3 : 1
        // Fills the processor cache, and performs the setup of a first decode.
        for bytes in files {
            _ = try Self.decode(bytes, ownWay: true)
            _ = try Self.decode(bytes, ownWay: false)
        }
        for run in 0..<Self.runs {
            var times: (own: [Double], library: [Double]) = ([], [])
            for (index, bytes) in files.enumerated() {
                let isOwnFirst = (run + index).isMultiple(of: 2)
                let first = try Self.time(bytes, ownWay: isOwnFirst, repetitions)
                let second = try Self.time(bytes, ownWay: !isOwnFirst, repetitions)
                times.own.append(isOwnFirst ? first : second)
                times.library.append(isOwnFirst ? second : first)
            }
            own.append(times.own)
            library.append(times.library)
        }
    }

    /// Decodes an image to fit the box.
    static func decode(_ bytes: [UInt8], ownWay: Bool) throws -> DecodedImage {
        let options = DecodingOptions(targetSize: box, usesFastPaths: ownWay)
        return try DecoderRegistry.standard.decode(bytes, options: options)
    }

    private static func time(
        _ bytes: [UInt8],
        ownWay: Bool,
        _ repetitions: Int
    ) throws -> Double {
        var failure: (any Error)?
        let time = ThreadTime.milliseconds {
            for _ in 0..<repetitions {
                do { _ = try decode(bytes, ownWay: ownWay) } catch { failure = error }
            }
        }
        if let failure { throw failure }
        return time / Double(repetitions)
    }

    /// The milliseconds per image with our own decoder: the median of the means of the runs.
    var ownMilliseconds: Double { Self.milliseconds(own) }
    /// The milliseconds per image with the library.
    var libraryMilliseconds: Double { Self.milliseconds(library) }

    /// The time of the library divided by the time of our decoder: the median of the runs' ratios
    /// for all images together.
    var ratio: Double { zip(library, own).map { $0.sum / $1.sum }.median }

    /// The same ratio for the image with the smallest one.
    var leastRatio: Double {
        (0..<pictureCount).map { picture in
            zip(library, own).map { $0[picture] / $1[picture] }.median
        }.min() ?? 0
    }

    private static func milliseconds(_ times: Times) -> Double {
        times.map { $0.sum / Double($0.count) }.median
    }
}
