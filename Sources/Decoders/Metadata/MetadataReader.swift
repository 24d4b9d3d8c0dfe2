internal import CImageCodecs

/// Reads the metadata of image files with libexiv2, which it uses through libgexiv2.
///
/// The libraries are loaded for the first file. Call from any thread; files are read one at a time.
package enum MetadataReader {
    /// The name of the group of helper processes that read metadata.
    package static let helperGroup = "metadata"
    /// The Debian package that contains the library.
    private static let package = "libgexiv2-2"

    /// Loads the library if it is installed.
    package static func prepare() { _ = cic_metadata_load() }

    /// Reads the metadata of an image or of an XMP sidecar.
    ///
    /// Without the library, only the camera's settings and the texts of PNG files are read.
    package static func read(_ file: UnsafeBufferPointer<UInt8>) -> ImageMetadata {
        var metadata = libraryMetadata(of: file)
        for entry in PNGTexts.all(in: file, limit: ImageMetadata.maximumByteCount / 2) {
            metadata.add("PNG.\(entry.keyword)", [entry.text])
        }
        let profile = ColorDescription.profileName(startOfFile: file)
        metadata.add(MetadataKeys.profileName, [profile].compactMap(\.self))
        return metadata
    }

    private static func libraryMetadata(of file: UnsafeBufferPointer<UInt8>) -> ImageMetadata {
        guard let start = file.baseAddress else { return ImageMetadata() }
        guard cic_metadata_load() else {
            var metadata = ImageMetadata(CameraFacts(startOfFile: Array(file.prefix(256 << 10))))
            metadata.problem = "most of it is not read: install \(package)"
            return metadata
        }
        var handle: OpaquePointer?
        var message = [CChar](repeating: 0, count: Int(cic_metadata_message_size))
        let status = cic_metadata_read(start, file.count, &handle, &message)
        guard status == .ok, let handle else {
            var metadata = ImageMetadata()
            if status == .corrupt {
                let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
                metadata.problem = "damaged: \(String(decoding: text, as: UTF8.self))"
            }
            return metadata
        }
        defer { cic_metadata_destroy(handle) }
        return fields(of: handle)
    }

    private static func fields(of handle: OpaquePointer) -> ImageMetadata {
        var metadata = ImageMetadata()
        for key in MetadataKeys.single {
            let value = string(cic_metadata_value(handle, key)).map(unprefixed)
            metadata.add(key, [value].compactMap(\.self))
        }
        for key in MetadataKeys.lists { metadata.add(key, values(of: key, in: handle)) }
        let lens = MetadataKeys.lenses.lazy.compactMap { text(of: $0, in: handle) }.first
        metadata.add(MetadataKeys.lensName, [lens].compactMap(\.self))
        return metadata
    }

    /// The maximum number of values of a tag; photo managers write fewer keywords.
    private static let mostValues = 1_000

    private static func values(of key: String, in handle: OpaquePointer) -> [String] {
        guard let list = cic_metadata_values(handle, key) else { return [] }
        defer { cic_metadata_free_values(list) }
        var values: [String] = []
        while values.count < mostValues, let value = list[values.count] {
            values.append(String(cString: value))
        }
        return values
    }

    /// Returns the name that exiv2 has for the number in a tag, or nil if it has none.
    ///
    /// For an unknown number it returns the number, in parentheses or not.
    private static func text(of key: String, in handle: OpaquePointer) -> String? {
        guard let name = string(cic_metadata_text(handle, key)) else { return nil }
        return name.contains { $0.isLetter } && name != "n/a" ? name : nil
    }

    /// Copies and frees a text of the library.
    private static func string(_ text: UnsafeMutablePointer<CChar>?) -> String? {
        guard let text else { return nil }
        defer { cic_metadata_free(text) }
        return String(cString: text)
    }

    /// Returns a value without what exiv2 adds: the name of the character set, or the languages of
    /// which the first is the default.
    ///
    ///     charset=Ascii A comment
    ///     lang="x-default" A title, lang="de" Ein Titel
    private static func unprefixed(_ value: String) -> String {
        guard value.hasPrefix("charset=") || value.hasPrefix("lang=\""),
            let space = value.firstIndex(of: " ")
        else { return value }
        let rest = value[value.index(after: space)...]
        guard value.hasPrefix("lang="), let next = rest.firstRange(of: ", lang=\"") else {
            return String(rest)
        }
        return String(rest[..<next.lowerBound])
    }
}

extension ImageMetadata {
    /// Creates metadata from the camera settings that the program reads itself.
    fileprivate init(_ facts: CameraFacts?) {
        guard let facts else { return }
        let numbers = [
            ("Exif.Photo.ExposureTime", facts.exposureTime), ("Exif.Photo.FNumber", facts.aperture),
            ("Exif.Photo.FocalLength", facts.focalLength),
        ]
        let texts = [
            ("Exif.Image.Model", facts.model), ("Exif.Photo.LensModel", facts.lens),
            ("Exif.Photo.DateTimeOriginal", facts.taken),
            ("Exif.Photo.ISOSpeedRatings", facts.sensitivity.map(String.init)),
        ]
        for (key, number) in numbers { add(key, number.map { ["\($0)"] } ?? []) }
        for (key, text) in texts { add(key, text.map { [$0] } ?? []) }
    }
}
