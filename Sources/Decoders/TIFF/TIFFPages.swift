/// Finds the page that is the image of a TIFF-based file (TIFF, DNG, NEF, CR2, ARW, PEF).
///
/// Cameras store a thumbnail of 160 by 120 pixels in the first directory. They store the sensor
/// data and JPEG previews in later and nested directories (DNG 1.7, "Preview Images"). Sensor data
/// cannot be decoded, so the largest page that can be decoded is used as the image.
struct TIFFPages {
    /// A page that can be decoded.
    struct Page: Equatable {
        /// The offset of the page's directory.
        let offset: Int
        let size: PixelSize
        /// The orientation of the page or, if the page specifies none, of the first page.
        let orientation: Orientation
        /// The range of the JPEG file that contains the pixels, or nil if libtiff must decode the
        /// page.
        let jpeg: Range<Int>?
        /// Whether the file has a larger image that cannot be decoded.
        var isStamp = false
    }

    private enum Tag {
        static let kind = 254
        static let width = 256
        static let height = 257
        static let compression = 259
        static let photometric = 262
        static let stripOffsets = 273
        static let orientation = 274
        static let stripByteCounts = 279
        static let children = 330
        static let sharedTables = 347
        static let jpegOffset = 513
        static let jpegByteCount = 514
    }

    private enum Compression {
        static let oldJPEG = 6
        static let jpeg = 7
    }

    /// The bits of the NewSubfileType tag.
    ///
    /// `reduced` is the bit for a reduced image. `notAnImage` contains the bits for a transparency
    /// mask, a depth map and an enhanced mask.
    private enum Kind {
        static let reduced = 1
        static let notAnImage = 4 | 8 | 16
    }

    /// The maximum number of directories in a file, and of nested directories in one directory;
    /// cameras write up to 10.
    private static let maximumDirectoryCount = 64
    /// The number of bytes at the start of a JPEG that are searched for its header.
    private static let headerByteCount = 1 << 20

    private let directories: TIFFDirectories

    /// Returns the page to decode as the image, or nil if that is the first page or if no page can
    /// be decoded.
    static func image(of file: UnsafeBufferPointer<UInt8>) -> Page? {
        guard let directories = TIFFDirectories(file) else { return nil }
        return TIFFPages(directories: directories).image
    }

    private var image: Page? {
        guard let start = directories.first, let first = directories.directory(at: start) else {
            return nil
        }
        let inherited = orientation(of: first) ?? .upright
        if isOrdinary(first) { return nil }
        let all = allDirectories(from: first).filter { kind(of: $0) & Kind.notAnImage == 0 }
        let pages = all.compactMap { page(of: $0, inherited: inherited) }
        // If pages are equally large, the earlier page is used.
        guard
            var largest = pages.reduce(
                nil as Page?,
                { best, page in
                    best.map { $0.size.pixelCount >= page.size.pixelCount } ?? false ? best : page
                }
            )
        else { return nil }
        let isReduced = all.contains {
            $0.offset == largest.offset && kind(of: $0) & Kind.reduced != 0
        }
        largest.isStamp =
            isReduced
            && all.contains {
                kind(of: $0) & Kind.reduced == 0
                    && size(of: $0).pixelCount > 4 * largest.size.pixelCount
            }
        return largest
    }

    /// Returns whether the first page is the image.
    ///
    /// This is the case if the file was not written by a camera.
    private func isOrdinary(_ first: TIFFDirectories.Directory) -> Bool {
        kind(of: first) & (Kind.reduced | Kind.notAnImage) == 0 && isForLibrary(first)
            && value(Tag.compression, first) != Compression.oldJPEG
    }

    /// Returns the directories of the file and the nested directories, each only once.
    private func allDirectories(
        from first: TIFFDirectories.Directory
    ) -> [TIFFDirectories.Directory] {
        var found = [first]
        var seen: Set = [first.offset]
        var index = 0
        while index < found.count, found.count < Self.maximumDirectoryCount {
            let directory = found[index]
            index += 1
            let children = directories.values(
                ofTag: Tag.children,
                in: directory,
                limit: Self.maximumDirectoryCount
            )
            for offset in [directory.next].compactMap({ $0 }) + children
            where found.count < Self.maximumDirectoryCount && seen.insert(offset).inserted {
                if let next = directories.directory(at: offset) { found.append(next) }
            }
        }
        return found
    }

    private func page(of directory: TIFFDirectories.Directory, inherited: Orientation) -> Page? {
        let own = orientation(of: directory)
        if let (range, properties) = jpeg(of: directory) {
            let stored = Orientation(rawValue: properties.orientation) ?? .upright
            let orientation = stored == .upright ? own ?? inherited : stored
            return Page(
                offset: directory.offset,
                size: stored.apply(to: properties.size),
                orientation: orientation,
                jpeg: range
            )
        }
        let size = size(of: directory)
        guard isForLibrary(directory), !size.isEmpty else { return nil }
        return Page(
            offset: directory.offset,
            size: size,
            orientation: own ?? inherited,
            jpeg: nil
        )
    }

    /// Returns whether libtiff can decode the page.
    ///
    /// libtiff supports neither sensor data (photometric interpretation 32803) nor linear sensor
    /// data (34892).
    private func isForLibrary(_ directory: TIFFDirectories.Directory) -> Bool {
        let photometric = value(Tag.photometric, directory) ?? 0
        let compression = value(Tag.compression, directory) ?? 1
        return (photometric <= 10 || (32_844...32_845).contains(photometric))
            && (compression != Compression.oldJPEG || photometric == 6)
    }

    /// Returns the range and the properties of the JPEG file that contains the entire page, or nil
    /// if the page is not stored as a JPEG file.
    private func jpeg(
        of directory: TIFFDirectories.Directory
    ) -> (range: Range<Int>, properties: ImageProperties)? {
        let strip = value(Tag.stripOffsets, directory)
        let range: Range<Int>?
        if let start = value(Tag.jpegOffset, directory) {
            range = self.range(from: start, byteCount: value(Tag.jpegByteCount, directory))
            // Old-style JPEG compression: the range contains only tables, and the coded data is
            // elsewhere.
            if let strip, let range, !range.contains(strip) { return nil }
        } else {
            let photometric = value(Tag.photometric, directory)
            let isComplete =
                switch value(Tag.compression, directory) {
                case Compression.oldJPEG: true
                case Compression.jpeg:
                    photometric == 6
                        && directories.valueCount(ofTag: Tag.sharedTables, in: directory) == 0
                default: false
                }
            guard isComplete, let strip,
                directories.valueCount(ofTag: Tag.stripOffsets, in: directory) == 1
            else { return nil }
            range = self.range(from: strip, byteCount: value(Tag.stripByteCounts, directory))
        }
        guard let range else { return nil }
        let start = UnsafeBufferPointer(
            rebasing: directories.file[range].prefix(Self.headerByteCount)
        )
        return JPEGDecoder().plainHeader(start).map { (range, $0) }
    }

    /// Returns the part of the file that starts at `start`, cut off at the end of the file.
    ///
    /// The declared length may be too large, which is harmless because a JPEG ends with a marker.
    private func range(from start: Int, byteCount: Int?) -> Range<Int>? {
        let count = directories.file.count
        guard start > 0, start < count else { return nil }
        return start..<min(count, start.saturatingAdd(max(0, byteCount ?? count)))
    }

    private func value(_ tag: Int, _ directory: TIFFDirectories.Directory) -> Int? {
        directories.value(ofTag: tag, in: directory)
    }

    private func kind(of directory: TIFFDirectories.Directory) -> Int {
        value(Tag.kind, directory) ?? 0
    }

    private func size(of directory: TIFFDirectories.Directory) -> PixelSize {
        PixelSize(
            width: value(Tag.width, directory) ?? 0,
            height: value(Tag.height, directory) ?? 0
        )
    }

    private func orientation(of directory: TIFFDirectories.Directory) -> Orientation? {
        value(Tag.orientation, directory).flatMap(Orientation.init(rawValue:))
    }
}
