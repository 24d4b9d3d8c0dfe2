import ArgumentParser
import Feeds
import GalleryCore
import ImageLoading

/// The options for the thumbnails that `fetch` writes in addition to filling the cache.
struct ThumbnailOutputArguments: ParsableArguments {
    @Option(
        name: .customLong("thumbnails"),
        help: ArgumentHelp(
            "Write thumbnails of --size pixels to a WebDataset tar (key.jpg, key.json). If "
                + "this is a "
                + "folder, write numbered tars of --shard-size images. Tars are never left "
                + "incomplete.",
            valueName: "out.tar"
        ),
        completion: .file()
    )
    var destination: String?

    @Option(
        help: ArgumentHelp(
            "The longest side of a thumbnail, 8 to 4096 pixels.",
            valueName: "pixels"
        )
    )
    var size = 256

    @Option(
        oneOf: SampleFormat.self,
        help: ArgumentHelp("The format of the thumbnails: jpg, png or webp.", valueName: "format")
    )
    var thumbnailFormat = SampleFormat.jpg.rawValue

    @Option(
        help: ArgumentHelp(
            "The quality of JPEG and WebP thumbnails, 1 to 100.",
            valueName: "number"
        )
    )
    var quality = 95

    @Option(
        help: ArgumentHelp(
            "The number of images per tar, if --thumbnails is a folder (default: 10000).",
            valueName: "count"
        )
    )
    var shardSize: Int?

    private static let usualShardSize = 10_000

    func validate() throws {
        guard (8...4096).contains(size) else {
            throw ValidationError("--size takes a number of pixels from 8 to 4096.")
        }
        guard (1...100).contains(quality) else {
            throw ValidationError("--quality takes a number from 1 to 100.")
        }
        guard shardSize.map({ (1...1_000_000).contains($0) }) ?? true else {
            throw ValidationError("--shard-size takes a number from 1 to 1000000.")
        }
        guard destination?.isEmpty != true else {
            throw ValidationError("--thumbnails takes the name of a tar or of a folder.")
        }
        guard shardSize == nil || (destination != nil && !isOneFile) else {
            throw ValidationError("--shard-size goes with --thumbnails FOLDER.")
        }
    }

    /// Whether all thumbnails are written to a single tar file.
    var isOneFile: Bool { destination?.hasSuffix(".tar") == true }

    /// Returns the writer for the tar files, or nil if no thumbnails are requested.
    ///
    /// If `isResumed` is true, numbering continues after the existing tar files.
    func shards(isResumed: Bool) throws(ShardFailure) -> ShardWriter? {
        guard let destination else { return nil }
        let path = AbsolutePath.of(destination)
        guard !isOneFile else { return ShardWriter(file: path) }
        return try ShardWriter(
            folder: path,
            size: shardSize ?? Self.usualShardSize,
            isResumed: isResumed
        )
    }

    var maker: SampleMaker? {
        guard destination != nil else { return nil }
        let format = SampleFormat(rawValue: thumbnailFormat) ?? .jpg
        return SampleMaker(side: size, format: format, quality: quality)
    }
}

/// The image format of the thumbnails.
enum SampleFormat: String, CaseIterable, Sendable {
    case jpg, png, webp
}
