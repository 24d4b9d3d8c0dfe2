import CLinux
import Decoders
import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport

/// The camera settings and dates in the files of photos.
///
/// The methods block because they read the first bytes of files. Each file is read only once,
/// unless it changes. This class is thread-safe.
final class PhotoRecords: Sendable {
    private struct Entry {
        let stamp: FileStamp
        let record: PhotoRecord?
    }

    private let known = Protected<[String: Entry]>([:])

    /// The number of bytes to read from a file.
    ///
    /// EXIF data is a single segment of at most 64 KiB near the start of the file.
    private static let startByteCount = 72 << 10
    /// The maximum number of cached records.
    ///
    /// Files are read only for feeds with fewer items.
    private static let mostEntries = 200_000

    /// The suffixes of files into which cameras write their settings.
    ///
    /// Other files are not opened.
    private static let suffixes: Set<String> = [
        "jpg", "jpeg", "jpe", "tif", "tiff", "dng", "nef", "cr2", "arw", "orf", "pef",
    ]

    /// Returns what the camera has written, or nil if the file contains no settings.
    func record(of item: FeedItem) -> PhotoRecord? {
        guard let bytes = PictureAddress.path(ofURL: item.url) else { return nil }
        let path = FileText.text(bytes)
        guard let dot = path.lastIndex(of: "."),
            Self.suffixes.contains(path[path.index(after: dot)...].lowercased())
        else { return nil }
        var status = stat()
        guard stat(FileText.path(path), &status) == 0 else { return nil }
        let stamp = FileStamp(status)
        if let entry = known.withLock({ $0[path] }), entry.stamp == stamp { return entry.record }
        // A file that can't be read has no settings. Its cell shows the reason.
        let start = try? FileStart(of: path, count: Self.startByteCount)
        let record = start.flatMap { CameraFacts(startOfFile: $0.bytes) }.map { camera in
            PhotoRecord(camera: camera, taken: camera.taken.flatMap(Self.nanoseconds))
        }
        known.withLock { known in
            if known.count >= Self.mostEntries { known.removeAll() }
            known[path] = Entry(stamp: stamp, record: record)
        }
        return record
    }

    /// Converts a camera's timestamp, such as "2026:11:23 01:30:00", to nanoseconds since 1970.
    ///
    /// The camera is assumed to be in the local time zone.
    static func nanoseconds(_ text: String) -> Int? {
        let parts = text.split { ": -T".contains($0) }
        let numbers = parts.compactMap { Int32($0) }
        guard parts.count >= 6, numbers.count >= 6, (1...9999).contains(numbers[0]),
            (1...12).contains(numbers[1]), (1...31).contains(numbers[2]),
            (0...23).contains(numbers[3]), (0...59).contains(numbers[4]),
            (0...60).contains(numbers[5])
        else { return nil }
        var time = tm()
        (time.tm_year, time.tm_mon, time.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
        (time.tm_hour, time.tm_min, time.tm_sec) = (numbers[3], numbers[4], numbers[5])
        time.tm_isdst = -1
        let seconds = mktime(&time)
        // Dates that overflow as nanoseconds are invalid.
        guard seconds != -1, abs(seconds) < 9_000_000_000 else { return nil }
        return Int(seconds) * 1_000_000_000
    }
}
