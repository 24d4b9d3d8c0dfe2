import Decoders
import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport

/// Collects information about an image from files and caches.
///
/// This type is thread-safe.
struct InformationReader: Sendable {
    let manager: ImageManager
    private let pool = WorkerPool(name: "information", threadCount: 1)

    init(manager: ImageManager) {
        self.manager = manager
    }

    /// The maximum number of bytes that are read from a file.
    ///
    /// In most formats, metadata may be anywhere in the file.
    static let maximumByteCount = 64 << 20

    func read(_ picture: ExternalPicture) async -> PictureInformation {
        if let path = picture.path {
            guard let file = await start(of: path) else { return PictureInformation() }
            return information(of: file, await metadata(of: file, at: path))
        }
        // Images embedded in the feed are not cached.
        guard !picture.url.hasPrefix("data:") else { return PictureInformation() }
        return await cacheInformation(of: picture)
    }

    private func cacheInformation(of picture: ExternalPicture) async -> PictureInformation {
        var found = PictureInformation()
        let body = await manager.cachedBody(for: picture.request)
        let isInMemory = manager.isInMemoryAtAnySize(picture.request)
        found.add("memory", isInMemory ? "decoded" : "not available", to: "Cache")
        found.add("disk", body == nil ? "not available" : nil, to: "Cache")
        add(body?.answer, to: &found)
        guard let path = body?.path, let file = await start(of: path) else { return found }
        found.add("disk", "\(file.byteCountText), \(file.timeText)", to: "Cache")
        found.add("file", FileText.shown(path), to: "Cache")
        add(file, await manager.metadata(of: file.bytes), to: &found)
        return found
    }

    /// Returns information about an image file and its metadata.
    func information(of file: FileStart, _ all: FileMetadata) -> PictureInformation {
        var found = PictureInformation()
        found.add("bytes", file.byteCountText, to: "File")
        found.add("changed", file.timeText, to: "File")
        found.add("sidecar", all.sidecar.map(FileText.shown), to: "File")
        add(file, all.metadata, to: &found)
        return found
    }

    /// Returns the metadata of an image file and of its sidecars, which take precedence.
    func metadata(of file: FileStart, at path: String) async -> FileMetadata {
        var found = FileMetadata(metadata: await manager.metadata(of: file.bytes))
        for path in Sidecar.paths(of: path) {
            guard let sidecar = await start(of: path) else { continue }
            found.metadata.replace(with: await manager.metadata(of: sidecar.bytes))
            found.sidecar = path
        }
        return found
    }

    /// Reads a file; returns nil if it can't be read.
    private func start(of path: String) async -> FileStart? {
        let read = try? await pool.run(priority: .normal) { _ in
            try? FileStart(of: path, count: Self.maximumByteCount)
        }
        return read ?? nil
    }

    private func add(
        _ file: FileStart,
        _ metadata: ImageMetadata,
        to found: inout PictureInformation
    ) {
        found.add("colors", ColorDescription.text(startOfFile: file.bytes), to: "Image")
        PhotoFacts(metadata: metadata).add(to: &found)
    }

    /// Adds the properties of the server's response: its freshness, its entity tag, and the times
    /// at which it was last modified and received.
    private func add(_ answer: CachedBodyFacts.Answer?, to found: inout PictureInformation) {
        guard let answer else { return }
        let title = "Source"
        found.add("fresh", Self.freshness(of: answer), to: title)
        found.add("version", answer.entityTag, to: title)
        found.add("changed", answer.lastModified.map { LocalTimeText.text(ofTime: $0) }, to: title)
        found.add("received", LocalTimeText.text(ofTime: answer.received), to: title)
    }

    static func freshness(of answer: CachedBodyFacts.Answer) -> String {
        let guess = answer.saysHowLong ? "" : ", estimated"
        if answer.isAskedEachTime { return "revalidated each time" }
        guard answer.secondsFresh > 0 else {
            return "no, since \(CountText.span(seconds: -answer.secondsFresh))\(guess)"
        }
        // A response that stays fresh for more than 100 years is shown as "always" fresh.
        guard answer.secondsFresh < 100 * 365 * 86_400 else { return "always" }
        return "for \(CountText.span(seconds: answer.secondsFresh))\(guess)"
    }
}

/// The metadata of an image file and its sidecars.
struct FileMetadata: Sendable {
    var metadata: ImageMetadata
    /// The path of the sidecar that takes precedence; nil if the image has no sidecar.
    var sidecar: String?
}

extension FileStart {
    fileprivate var byteCountText: String { CountText.bytes(Int(status.st_size)) }

    fileprivate var timeText: String { LocalTimeText.text(ofTime: status.st_mtim.tv_sec) }
}
