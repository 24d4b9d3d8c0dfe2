import Decoders

/// The facts about a photograph that people look for, from the tags that store them.
///
/// Some are in several tags. As recommended by the Metadata Working Group (Guidelines for Handling
/// Image Metadata 2.0, chapter 5), XMP precedes IPTC, and IPTC precedes EXIF.
struct PhotoFacts {
    let metadata: ImageMetadata

    private func text(_ keys: String...) -> String? {
        keys.lazy.flatMap { metadata[$0] }.map(Self.trimmed).first { !$0.isEmpty }
    }

    private func texts(_ keys: String...) -> [String] {
        let lists = keys.lazy.map { metadata[$0].map(Self.trimmed).filter { !$0.isEmpty } }
        return lists.first { !$0.isEmpty } ?? []
    }

    private func number(_ key: String) -> Double? { MetadataNumber.value(metadata[key].first) }

    /// Returns a text without padding.
    static func trimmed(_ text: String) -> String {
        let end = text.lastIndex { !$0.isWhitespace }
        return end.map { String(text[...$0].drop(while: \.isWhitespace)) } ?? ""
    }

    // MARK: Camera

    var model: String? {
        CameraFacts.joined(
            text("Exif.Image.Make", "PNG.Make"),
            text("Exif.Image.Model", "PNG.Model")
        )
    }

    var lens: String? { text("Exif.Photo.LensModel", "Lens") }

    var exposureTime: Double? { number("Exif.Photo.ExposureTime").flatMap(Self.positive) }

    var aperture: Double? { number("Exif.Photo.FNumber").flatMap(Self.positive) }

    /// The exposure compensation in stops.
    var compensation: Double? { number("Exif.Photo.ExposureBiasValue") }

    var sensitivity: Int? {
        number("Exif.Photo.ISOSpeedRatings").flatMap(Self.positive).flatMap { Int(exactly: $0) }
    }

    /// The focal length in millimeters.
    var focalLength: Double? { number("Exif.Photo.FocalLength").flatMap(Self.positive) }

    /// The focal length in millimeters that gives the same view on 35 mm film.
    var equivalentFocalLength: Double? {
        number("Exif.Photo.FocalLengthIn35mmFilm").flatMap(Self.positive)
    }

    private static func positive(_ value: Double) -> Double? { value > 0 ? value : nil }

    /// The time at which the photo was taken, with its time zone if it is known, such as
    /// "2026-05-03 10:11:12 +02:00".
    var taken: String? {
        let tags = [
            ("Exif.Photo.DateTimeOriginal", "Exif.Photo.OffsetTimeOriginal"),
            ("Exif.Photo.DateTimeDigitized", "Exif.Photo.OffsetTimeDigitized"),
        ]
        for (time, zone) in tags {
            guard let time = text(time) else { continue }
            let parts = time.split(separator: " ", maxSplits: 1).map(String.init)
            let day = parts[0].replacing(":", with: "-")
            return ([day] + parts.dropFirst() + [text(zone)].compactMap(\.self))
                .joined(separator: " ")
        }
        return nil
    }

    /// The EXIF orientation, 1 to 8.
    var orientation: Int? {
        number("Exif.Image.Orientation").flatMap { Int(exactly: $0) }.flatMap {
            (1...8).contains($0) ? $0 : nil
        }
    }

    var colorSpace: Int? {
        number("Exif.Photo.ColorSpace").flatMap { Int(exactly: $0) }
    }

    var software: String? { text("Exif.Image.Software", "PNG.Software") }

    // MARK: Description

    var title: String? { text("Xmp.dc.title", "Iptc.Application2.ObjectName", "PNG.Title") }

    var description: String? {
        text(
            "Xmp.dc.description",
            "Iptc.Application2.Caption",
            "Exif.Image.ImageDescription",
            "PNG.Description"
        )
    }

    var comment: String? { text("Exif.Photo.UserComment", "PNG.Comment") }

    var keywords: [String] { texts("Xmp.dc.subject", "Iptc.Application2.Keywords") }

    var authors: [String] {
        texts(
            "Xmp.dc.creator",
            "Iptc.Application2.Byline",
            "Exif.Image.Artist",
            "PNG.Author",
            "PNG.Artist"
        )
    }

    var copyright: String? {
        text(
            "Xmp.dc.rights",
            "Iptc.Application2.Copyright",
            "Exif.Image.Copyright",
            "PNG.Copyright"
        )
    }

    /// The rating from 0 to 5, or -1 for a rejected image.
    var rating: Double? { number("Xmp.xmp.Rating").flatMap { (-1...5).contains($0) ? $0 : nil } }

    var label: String? { text("Xmp.xmp.Label") }

    // MARK: Place

    /// The latitude in degrees, negative in the south.
    var latitude: Double? { angle("GPSLatitude", limit: 90, negative: "S") }

    /// The longitude in degrees, negative in the west.
    var longitude: Double? { angle("GPSLongitude", limit: 180, negative: "W") }

    private func angle(_ name: String, limit: Double, negative: String) -> Double? {
        guard let angle = MetadataNumber.degrees(metadata["Exif.GPSInfo.\(name)"].first),
            (0...limit).contains(angle)
        else { return nil }
        return text("Exif.GPSInfo.\(name)Ref")?.uppercased() == negative ? -angle : angle
    }

    /// The altitude in meters, negative below sea level.
    var altitude: Double? {
        number("Exif.GPSInfo.GPSAltitude").map { $0 * (isBelowSeaLevel ? -1 : 1) }
    }

    private var isBelowSeaLevel: Bool { text("Exif.GPSInfo.GPSAltitudeRef") == "1" }

    /// Whether the file says whether the altitude is above or below the level of the sea.
    var hasAltitudeReference: Bool { text("Exif.GPSInfo.GPSAltitudeRef") != nil }

    /// The coordinates as maps accept them, such as "48.856600, -2.352200".
    var position: String? {
        guard let latitude, let longitude else { return nil }
        return [latitude, longitude].map { MetadataNumber.fixed($0, 6) }.joined(separator: ", ")
    }

    // MARK: Texts of PNG files

    private static let namedTexts: Set<String> = [
        "Title", "Description", "Author", "Artist", "Copyright", "Software", "Comment", "Make",
        "Model",
    ]

    /// The texts of a PNG that no other property contains, such as the settings of an image
    /// generator.
    var otherTexts: [(keyword: String, text: String)] {
        metadata.pngTexts.filter { !Self.namedTexts.contains($0.keyword) }
    }
}

extension ImageMetadata {
    /// The texts of a PNG file.
    var pngTexts: [(keyword: String, text: String)] {
        fields.compactMap { field in
            guard field.key.hasPrefix("PNG.") else { return nil }
            return (String(field.key.dropFirst(4)), field.values.joined(separator: "\n"))
        }
    }
}
