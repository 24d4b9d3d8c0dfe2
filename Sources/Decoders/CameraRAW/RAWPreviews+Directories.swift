/// Olympus's ORF and Panasonic's RW2, whose data is in directories as in a TIFF file.
///
/// In RW2, the tag JpgFromRaw contains a JPEG file with EXIF data. In ORF, a nested directory of
/// the maker's note locates the preview. The second directory may locate a thumbnail.
extension RAWPreviews {
    private enum Tag {
        static let width = 256
        static let height = 257
        static let orientation = 274
        static let jpegOffset = 513
        static let jpegByteCount = 514
        static let exif = 0x8769
        static let makerNote = 0x927C
        /// Panasonic: the size of the sensor and the preview.
        static let sensorWidth = 2
        static let sensorHeight = 3
        static let jpegFromRAW = 0x2E
        /// Olympus: the directory of the camera's settings, and the preview in it.
        static let settings = 0x2020
        static let previewOffset = 0x101
        static let previewByteCount = 0x102
    }

    /// The starts of Olympus's notes, with the offset of the first directory.
    ///
    /// Offsets in these notes are relative to the start of the note. In older notes ("OLYMP\0"),
    /// they are not, and the preview has other tags.
    private static let noteSignatures: [(text: String, directory: Int)] = [
        ("OLYMPUS\0", 12), ("OM SYSTEM\0", 16),
    ]

    mutating func findInDirectories() {
        guard let directories = TIFFDirectories(file), let start = directories.first,
            let first = directories.directory(at: start)
        else { return setCut() }
        readFirstDirectory(of: directories)
        if let block = directories.block(ofTag: Tag.jpegFromRAW, in: first) {
            add(from: block.start, byteCount: block.byteCount)
        }
        findInNote(of: first, directories)
        for directory in directories.all(from: first) { findThumbnail(of: directory, directories) }
    }

    /// Reads the orientation and the size of the image from the first directory of a TIFF file.
    mutating func readFirstDirectory(of directories: TIFFDirectories) {
        guard let first = directories.first.flatMap(directories.directory) else { return }
        func value(_ tag: Int) -> Int? { directories.value(ofTag: tag, in: first) }
        orientation = value(Tag.orientation).flatMap(Orientation.init(rawValue:)) ?? .upright
        sensorSize = PixelSize(
            width: value(Tag.width) ?? value(Tag.sensorWidth) ?? 0,
            height: value(Tag.height) ?? value(Tag.sensorHeight) ?? 0
        )
    }

    private mutating func findThumbnail(
        of directory: TIFFDirectories.Directory,
        _ directories: TIFFDirectories
    ) {
        guard let start = directories.value(ofTag: Tag.jpegOffset, in: directory),
            let byteCount = directories.value(ofTag: Tag.jpegByteCount, in: directory)
        else { return }
        add(from: start, byteCount: byteCount)
    }

    /// Adds the preview that Olympus's note locates.
    private mutating func findInNote(
        of first: TIFFDirectories.Directory,
        _ directories: TIFFDirectories
    ) {
        guard let exif = directories.value(ofTag: Tag.exif, in: first) else { return }
        guard let directory = directories.directory(at: exif) else { return setCut() }
        guard let start = directories.block(ofTag: Tag.makerNote, in: directory)?.start else {
            return
        }
        guard let note = directories.rest(from: start) else { return setCut() }
        let signature = Self.noteSignatures.first { note.file.starts(with: $0.text.utf8) }
        guard let signature else { return }
        guard let main = note.directory(at: signature.directory) else { return setCut() }
        guard let offset = note.value(ofTag: Tag.settings, in: main) else { return }
        guard let settings = note.directory(at: offset) else { return setCut() }
        findPreview(of: settings, in: note, noteOffset: start)
    }

    private mutating func findPreview(
        of settings: TIFFDirectories.Directory,
        in note: TIFFDirectories,
        noteOffset: Int
    ) {
        guard let start = note.value(ofTag: Tag.previewOffset, in: settings),
            let byteCount = note.value(ofTag: Tag.previewByteCount, in: settings)
        else { return }
        add(from: noteOffset.saturatingAdd(start), byteCount: byteCount)
    }
}
