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
        let all = directories.all(from: first).filter { kind(of: $0) & Kind.notAnImage == 0 }
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
                    && largest.isStamp(of: size(of: $0))
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

    private func page(of directory: TIFFDirectories.Directory, inherited: Orientation) -> Page? {
        let own = orientation(of: directory)
        if let jpeg = jpeg(of: directory) {
            return Page(jpeg, at: directory.offset, orientation: own ?? inherited)
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

    /// Returns the JPEG file that contains the entire page, or nil if the page is not stored as a
    /// JPEG file.
    private func jpeg(of directory: TIFFDirectories.Directory) -> JPEGRange? {
        let strip = value(Tag.stripOffsets, directory)
        if let start = value(Tag.jpegOffset, directory) {
            let jpeg = jpeg(from: start, byteCount: value(Tag.jpegByteCount, directory))
            // Old-style JPEG compression: the range contains only tables, and the coded data is
            // elsewhere.
            if let strip, let jpeg, !jpeg.bytes.contains(strip) { return nil }
            return jpeg
        }
        guard isJPEGStrip(directory), let strip,
            directories.valueCount(ofTag: Tag.stripOffsets, in: directory) == 1
        else { return nil }
        return jpeg(from: strip, byteCount: value(Tag.stripByteCounts, directory))
    }

    private func jpeg(from start: Int, byteCount: Int?) -> JPEGRange? {
        JPEGRange(in: directories.file, from: start, byteCount: byteCount)
    }

    /// Returns whether the strips of the page are JPEG files with all their tables.
    private func isJPEGStrip(_ directory: TIFFDirectories.Directory) -> Bool {
        switch value(Tag.compression, directory) {
        case Compression.oldJPEG: true
        case Compression.jpeg:
            value(Tag.photometric, directory) == 6
                && directories.valueCount(ofTag: Tag.sharedTables, in: directory) == 0
        default: false
        }
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

extension TIFFPages.Page {
    /// Creates a page that is stored as a JPEG file.
    ///
    /// `orientation` is used if the JPEG file specifies none. `offset` is the offset of the page's
    /// directory.
    init(_ jpeg: JPEGRange, at offset: Int = 0, orientation: Orientation) {
        let stored = Orientation(rawValue: jpeg.properties.orientation) ?? .upright
        self.init(
            offset: offset,
            size: stored.apply(to: jpeg.properties.size),
            orientation: stored == .upright ? orientation : stored,
            jpeg: jpeg.bytes
        )
    }

    /// Returns whether the page has less than a quarter of the pixels of the image, whose size is
    /// `image`.
    func isStamp(of image: PixelSize) -> Bool {
        image.pixelCount > size.pixelCount.saturatingMultiply(by: 4)
    }
}
