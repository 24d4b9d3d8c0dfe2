import Decoders
import SystemSupport

/// The metadata of a file as a JSON object with the tag names of ExifTool.
///
/// The values are those of `exiftool -j`, or of `exiftool -j -n` if `isNumeric` is true.
struct ExifToolRecord {
    let facts: PhotoFacts
    let isNumeric: Bool
    private var line = JSONLine()
    private var names: Set<String> = []

    init(path: String, facts: PhotoFacts, isNumeric: Bool) {
        self.facts = facts
        self.isNumeric = isNumeric
        line.add("SourceFile", path)
    }

    /// Adds the size in pixels as stored in the file, before it is turned upright.
    ///
    /// Adds nothing for the RAW file of a camera, because the image is a preview then.
    mutating func add(_ properties: ImageProperties, of path: String) {
        let isTIFF = [".tif", ".tiff"].contains(where: path.lowercased().hasSuffix)
        guard properties.format != .cameraRAW, properties.format != .tiff || isTIFF else { return }
        let isTurned = (5...8).contains(properties.orientation)
        let size = properties.size
        line.add("ImageWidth", isTurned ? size.height : size.width)
        line.add("ImageHeight", isTurned ? size.width : size.height)
    }

    mutating func addTags() {
        for (key, name) in Self.plainTags { add(name, facts.metadata[key]) }
        addCamera()
        addPlace()
        for (keyword, text) in facts.metadata.pngTexts {
            let name = ExifToolText.tagName(ofKeyword: keyword)
            if !name.isEmpty { add(name, [text]) }
        }
    }

    /// Ends the object and returns its bytes.
    consuming func line(sidecar: String?) -> [UInt8] {
        if let sidecar { line.add("SidecarFile", sidecar) }
        if let problem = facts.metadata.problem { line.add("Warning", problem) }
        return line.closed()
    }

    /// The tags whose values are printed unchanged, in the order of the output.
    private static let plainTags = [
        ("Exif.Photo.LensModel", "LensModel"), ("Exif.Photo.ISOSpeedRatings", "ISO"),
        ("Exif.Photo.DateTimeOriginal", "DateTimeOriginal"),
        ("Exif.Photo.OffsetTimeOriginal", "OffsetTimeOriginal"),
        ("Exif.Photo.DateTimeDigitized", "CreateDate"),
        ("Exif.Photo.OffsetTimeDigitized", "OffsetTimeDigitized"),
        ("Exif.Image.DateTime", "ModifyDate"), ("Exif.Photo.OffsetTime", "OffsetTime"),
        ("Exif.Image.Artist", "Artist"),
        ("Exif.Image.ImageDescription", "ImageDescription"),
        ("Iptc.Application2.ObjectName", "ObjectName"),
        ("Iptc.Application2.Caption", "Caption-Abstract"),
        ("Iptc.Application2.Keywords", "Keywords"), ("Iptc.Application2.Byline", "By-line"),
        ("Iptc.Application2.Copyright", "CopyrightNotice"), ("Xmp.dc.title", "Title"),
        ("Xmp.dc.description", "Description"), ("Xmp.dc.subject", "Subject"),
        ("Xmp.dc.creator", "Creator"), ("Xmp.dc.rights", "Rights"), ("Xmp.xmp.Rating", "Rating"),
        ("Xmp.xmp.Label", "Label"), ("Profile", "ProfileDescription"),
    ]

    /// The tags whose values are printed without their padding.
    private static let trimmedTags = [
        ("Exif.Image.Make", "Make"), ("Exif.Image.Model", "Model"),
        ("Exif.Image.Software", "Software"), ("Exif.Image.Copyright", "Copyright"),
        ("Exif.Photo.UserComment", "UserComment"),
    ]

    private mutating func addCamera() {
        for (key, name) in Self.trimmedTags {
            add(name, facts.metadata[key].map(PhotoFacts.trimmed))
        }
        add("ExposureTime", facts.exposureTime, ExifToolText.exposureTime)
        add("FNumber", facts.aperture, ExifToolText.aperture)
        add("ExposureCompensation", facts.compensation, ExifToolText.stops)
        add("FocalLength", facts.focalLength) { "\(MetadataNumber.fixed($0, 1)) mm" }
        add("FocalLengthIn35mmFormat", facts.equivalentFocalLength) {
            "\(MetadataNumber.short($0)) mm"
        }
        add("Orientation", facts.orientation.map(Double.init)) {
            ExifToolText.orientation(Int($0))
        }
        add("ColorSpace", facts.colorSpace.map(Double.init)) { ExifToolText.colorSpace(Int($0)) }
    }

    private mutating func addPlace() {
        add("GPSLatitude", facts.latitude, digits: 15) { ExifToolText.angle($0, ("N", "S")) }
        add("GPSLongitude", facts.longitude, digits: 15) { ExifToolText.angle($0, ("E", "W")) }
        let isKnown = facts.hasAltitudeReference
        add("GPSAltitude", facts.altitude) {
            isKnown ? ExifToolText.altitude($0) : "\(MetadataNumber.short($0)) m"
        }
    }

    private mutating func add(
        _ name: String,
        _ value: Double?,
        digits: Int = 10,
        _ text: (Double) -> String
    ) {
        guard let value else { return }
        let number = MetadataNumber.short(value, digits: digits)
        add(name, [isNumeric ? number : text(value)])
    }

    /// Adds a value, or a list if there is more than one.
    private mutating func add(_ name: String, _ values: [String]) {
        // As in ExifTool, the first of several tags with the same name is printed.
        guard !values.isEmpty, names.insert(name).inserted else { return }
        switch values.count {
        case 1: line.add(name, json: Self.json(values[0]))
        default: line.add(name, json: "[\(values.map(Self.json).joined(separator: ","))]")
        }
    }

    /// Returns a value as JSON; as in ExifTool, a text that looks like a number is a number.
    static func json(_ text: String) -> String {
        if text.wholeMatch(of: /-?([0-9]|[1-9][0-9]{1,14})(\.[0-9]{1,16})?/) != nil { return text }
        if ["true", "false"].contains(text.lowercased()) { return text.lowercased() }
        return JSONLine.quoted(text)
    }
}
