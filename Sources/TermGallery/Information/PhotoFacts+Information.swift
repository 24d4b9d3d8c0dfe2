import Decoders
import GalleryCore

/// The facts as lines for people.
extension PhotoFacts {
    func add(to found: inout PictureInformation) {
        addImage(to: &found)
        addCamera(to: &found)
        addDescription(to: &found)
        let place = "Place"
        found.position = position
        found.add("position", position, to: place)
        found.add(
            "altitude",
            altitude.map { "\(MetadataNumber.short($0, digits: 6)) m" },
            to: place
        )
        for text in otherTexts { found.add(text.keyword, text.text, to: "Text") }
        found.add("metadata", metadata.problem, to: "File")
    }

    private func addImage(to found: inout PictureInformation) {
        found.add("stored", orientation.flatMap(Self.turn), to: "Image")
        found.add("software", software, to: "Image")
    }

    /// Returns how the pixels of the file must be turned for an EXIF orientation, or nil if they are
    /// upright.
    private static func turn(_ orientation: Int) -> String? {
        switch orientation {
        case 2: "mirrored"
        case 3: "upside down"
        case 4: "flipped over"
        case 5: "mirrored, turned by 90° to the left"
        case 6: "turned by 90° to the left"
        case 7: "mirrored, turned by 90° to the right"
        case 8: "turned by 90° to the right"
        default: nil
        }
    }

    private func addCamera(to found: inout PictureInformation) {
        let title = "Camera"
        found.add("taken", taken, to: title)
        found.add("model", model, to: title)
        found.add("lens", lens, to: title)
        found.add("exposure", exposure, to: title)
        found.add("focal", focal, to: title)
    }

    private func addDescription(to found: inout PictureInformation) {
        let group = "Description"
        found.add("title", title, to: group)
        found.add("text", description, to: group)
        found.add("comment", comment, to: group)
        found.add("keywords", keywords.joined(separator: ", "), to: group)
        found.add("author", authors.joined(separator: ", "), to: group)
        found.add("copyright", copyright, to: group)
        let rated = rating.map { $0 < 0 ? "rejected" : "\(MetadataNumber.short($0)) of 5" }
        found.add("rating", rated, to: group)
        found.add("label", label, to: group)
    }

    /// The exposure in the form "1/250 s  f/2.8  ISO 400  -1/3 EV", or nil if none of the values are
    /// known.
    var exposure: String? {
        let parts = [
            exposureTime.map { "\(ExifToolText.exposureTime($0)) s" },
            aperture.map { "f/\(MetadataNumber.short($0, digits: 3))" },
            sensitivity.map { "ISO \($0)" },
            compensation.flatMap { $0 == 0 ? nil : "\(ExifToolText.stops($0)) EV" },
        ]
        let known = parts.compactMap(\.self)
        return known.isEmpty ? nil : known.joined(separator: "  ")
    }

    private var focal: String? {
        let own = focalLength.map { "\(MetadataNumber.short($0, digits: 4)) mm" }
        let equivalent = equivalentFocalLength.map {
            "like \(MetadataNumber.short($0, digits: 4)) mm on 35 mm film"
        }
        let known = [own, equivalent].compactMap(\.self)
        return known.isEmpty ? nil : known.joined(separator: ", ")
    }
}
