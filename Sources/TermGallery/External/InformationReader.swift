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

    /// The number of bytes at the start of a file in which to search for EXIF data.
    ///
    /// EXIF data precedes the pixels.
    private static let startByteCount = 256 << 10

    func read(_ picture: ExternalPicture) async -> PictureInformation {
        var found = PictureInformation()
        let isFile = picture.path != nil
        var file = picture.path
        if !isFile {
            // Images embedded in the feed are not cached.
            guard !picture.url.hasPrefix("data:") else { return found }
            let body = await manager.cachedBody(for: picture.request)
            file = body?.path
            let isInMemory = manager.isInMemoryAtAnySize(picture.request)
            found.add("memory", isInMemory ? "decoded" : "not available", to: "Cache")
            found.add("disk", body == nil ? "not available" : nil, to: "Cache")
            add(body?.answer, to: &found)
        }
        guard let file else { return found }
        let read = try? await pool.run(priority: .normal) { _ in
            try? FileStart(of: file, count: Self.startByteCount)
        }
        guard let read else { return found }
        let byteCount = Int(read.status.st_size)
        let time = LocalTimeText.text(ofTime: read.status.st_mtim.tv_sec)
        if isFile {
            found.add("bytes", CountText.bytes(byteCount), to: "File")
            found.add("changed", time, to: "File")
        } else {
            found.add("disk", "\(CountText.bytes(byteCount)), \(time)", to: "Cache")
            found.add("file", FileText.shown(file), to: "Cache")
        }
        let colors = ColorDescription.text(startOfFile: read.bytes)
        found.add("colors", colors, to: "Image")
        add(CameraFacts(startOfFile: read.bytes), to: &found)
        return found
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

    private func add(_ camera: CameraFacts?, to found: inout PictureInformation) {
        guard let camera else { return }
        let title = "Camera"
        found.add("taken", camera.taken, to: title)
        found.add("model", camera.model, to: title)
        found.add("lens", camera.lens, to: title)
        found.add("exposure", Self.exposure(camera), to: title)
        found.add("focal", camera.focalLength.map { "\(Self.text($0)) mm" }, to: title)
    }

    /// Returns the exposure in the form "1/250 s  f/2.8  ISO 400", or nil if none of the values are
    /// known.
    static func exposure(_ camera: CameraFacts) -> String? {
        let time = camera.exposureTime.map { seconds in
            seconds < 0.3 ? "1/\(text((1 / seconds).rounded())) s" : "\(text(seconds)) s"
        }
        let parts = [
            time, camera.aperture.map { "f/\(text($0))" }, camera.sensitivity.map { "ISO \($0)" },
        ]
        let known = parts.compactMap(\.self)
        return known.isEmpty ? nil : known.joined(separator: "  ")
    }

    /// Returns the value as a string, rounded to at most one decimal place.
    private static func text(_ value: Double) -> String {
        let tenths = (min(value, 1e12) * 10).rounded() / 10
        return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
    }
}
