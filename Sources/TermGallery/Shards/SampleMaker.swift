import Decoders
import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport

/// A training sample: an image, and a JSON object that describes it.
///
/// They are written to two files with the same key.
struct Sample: Sendable {
    /// The name of the sample's files, without a suffix.
    ///
    /// The key contains no dot.
    let key: String
    /// The suffix of the image file, without the dot.
    let suffix: String
    let picture: [UInt8]
    /// The bytes of a JSON object that describes the image.
    let facts: [UInt8]
}

/// Makes samples from loaded images on its own threads.
struct SampleMaker: Sendable {
    private let side: Int
    private let format: SampleFormat
    private let quality: Int
    private let pool = WorkerPool(
        name: "samples",
        threadCount: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))),
        order: .oldestFirst
    )

    init(side: Int, format: SampleFormat, quality: Int) {
        (self.side, self.format, self.quality) = (side, format, quality)
    }

    /// The minimum size of the loaded image: a quarter larger than the sample in each dimension.
    ///
    /// libjpeg can scale an image to a half, a quarter or an eighth, and cuts off high frequencies
    /// in the same way as a Lanczos kernel. The frequencies that libjpeg attenuates too much are in
    /// the additional quarter.
    var targetSize: PixelSize { PixelSize(width: side * 5 / 4, height: side * 5 / 4) }

    /// Makes a sample on one of the threads, and calls `completion` there with the result.
    func make(
        of response: ImageResponse,
        for entry: ListEntry,
        key: String,
        completion: @escaping @Sendable (Result<Sample, ImageLoadingError>) -> Void
    ) {
        pool.submit(priority: .normal) { [self] in
            completion(
                Result { () throws(ImageLoadingError) in
                    do throws(ImageEncodingError) {
                        return try sample(of: response, for: entry, key: key)
                    } catch {
                        throw ImageLoadingError(
                            stage: .process,
                            kind: .permanent,
                            reason: .processing("thumbnail: \(error)")
                        )
                    }
                }
            )
        }
    }

    /// Makes a sample on the calling thread.
    func sample(
        of response: ImageResponse,
        for entry: ListEntry,
        key: String
    ) throws(ImageEncodingError) -> Sample {
        let pixels = response.image.pixels
        let box = PixelSize(width: side, height: side)
        // The size is computed from the image's own size because the decoded size is rounded.
        let size = response.image.properties.size.scaled(into: box, mode: .fit)
        let ground = format == .jpg ? pixels.flattened() : pixels
        let thumbnail = ground.lanczosResampled(to: size)
        // A hash uses only a few low frequencies, which are also present in a thumbnail unless it
        // is tiny.
        let isStamp = min(size.width, size.height) < Self.stampSide
        return Sample(
            key: key,
            suffix: format.rawValue,
            picture: try encoded(thumbnail),
            facts: facts(
                of: response,
                for: entry,
                key: key,
                thumbnail.size,
                PerceptualHash(of: isStamp ? pixels : thumbnail)
            )
        )
    }

    private func encoded(_ pixels: PixelBuffer) throws(ImageEncodingError) -> [UInt8] {
        switch format {
        case .jpg: try JPEGEncoder.encodeSample(pixels, quality: quality)
        case .png: try PNGEncoder.encode(pixels)
        case .webp: try WebPEncoder.encode(pixels, quality: quality)
        }
    }

    private func facts(
        of response: ImageResponse,
        for entry: ListEntry,
        key: String,
        _ size: PixelSize,
        _ hash: PerceptualHash
    ) -> [UInt8] {
        let properties = response.image.properties
        let body = response.body ?? []
        var line = JSONLine()
        line.add("key", key)
        line.add("url", entry.item.url.withoutLogin)
        let caption = entry.item.caption
        // An item without its own caption is named after its file, so the caption is omitted.
        if caption != FeedItem(url: entry.item.url).caption { line.add("caption", caption) }
        BodyDigest.sha256(body).map { line.add("sha256", $0) }
        line.add("bytes", body.count)
        line.add("format", properties.format.rawValue)
        line.add("width", properties.size.width)
        line.add("height", properties.size.height)
        line.add("thumbnail_width", size.width)
        line.add("thumbnail_height", size.height)
        line.add("phash", hash.hexadecimal)
        if let camera = CameraFacts(startOfFile: Array(body.prefix(Self.exifByteCount))) {
            camera.taken.map { line.add("taken", $0) }
            camera.model.map { line.add("camera", $0) }
        }
        for field in entry.fields where !Self.keys.contains(field.name) {
            line.add(field.name, json: field.json)
        }
        return line.closed()
    }

    private static let stampSide = 96
    /// The number of bytes at the start of a file in which to search for EXIF data.
    ///
    /// EXIF data precedes the pixels.
    private static let exifByteCount = 256 << 10

    private static let keys: Set = [
        "key", "url", "caption", "sha256", "bytes", "format", "width", "height", "thumbnail_width",
        "thumbnail_height", "phash", "taken", "camera",
    ]

    /// Returns the key of an entry: its position in the list, with at least 9 digits.
    ///
    /// The key is the same in each run over the same list.
    static func key(ofEntry place: Int) -> String {
        let digits = "\(place)"
        return String(repeating: "0", count: max(0, 9 - digits.count)) + digits
    }
}
