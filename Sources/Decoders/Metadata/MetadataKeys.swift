/// The tags that are read, of the thousands that exist.
enum MetadataKeys {
    /// Tags with one value.
    static let single = exif + iptc + xmp

    /// Tags with a list of values.
    static let lists = [
        "Xmp.dc.subject", "Xmp.dc.creator", "Iptc.Application2.Keywords",
        "Iptc.Application2.Byline",
    ]

    private static let exif = [
        "Exif.Image.Make", "Exif.Image.Model", "Exif.Image.Orientation", "Exif.Image.Software",
        "Exif.Image.DateTime", "Exif.Image.ImageDescription", "Exif.Image.Artist",
        "Exif.Image.Copyright", "Exif.Photo.LensModel", "Exif.Photo.ExposureTime",
        "Exif.Photo.FNumber", "Exif.Photo.ISOSpeedRatings", "Exif.Photo.ExposureBiasValue",
        "Exif.Photo.FocalLength", "Exif.Photo.FocalLengthIn35mmFilm", "Exif.Photo.Flash",
        "Exif.Photo.DateTimeOriginal", "Exif.Photo.DateTimeDigitized", "Exif.Photo.OffsetTime",
        "Exif.Photo.OffsetTimeOriginal", "Exif.Photo.OffsetTimeDigitized",
        "Exif.Photo.UserComment", "Exif.Photo.ColorSpace",
        "Exif.GPSInfo.GPSLatitude", "Exif.GPSInfo.GPSLatitudeRef", "Exif.GPSInfo.GPSLongitude",
        "Exif.GPSInfo.GPSLongitudeRef", "Exif.GPSInfo.GPSAltitude",
        "Exif.GPSInfo.GPSAltitudeRef",
    ]

    private static let iptc = [
        "Iptc.Application2.ObjectName", "Iptc.Application2.Caption",
        "Iptc.Application2.Copyright",
    ]

    private static let xmp = [
        "Xmp.dc.title", "Xmp.dc.description", "Xmp.dc.rights", "Xmp.xmp.Rating",
        "Xmp.xmp.Label",
    ]

    /// Tags in which camera makers store the lens as a number, with the most recent first.
    ///
    /// exiv2 has the names of the lenses.
    static let lenses = [
        "Exif.CanonCs.LensType", "Exif.NikonLd4.LensIDNumber", "Exif.NikonLd3.LensIDNumber",
        "Exif.NikonLd2.LensIDNumber", "Exif.Sony2.LensID", "Exif.Sony1.LensID",
        "Exif.OlympusEq.LensType", "Exif.Panasonic.LensType", "Exif.PentaxDng.LensType",
        "Exif.Pentax.LensType", "Exif.Samsung2.LensType", "Exif.Minolta.LensID",
    ]

    /// The key of the name of the lens that belongs to a number of `lenses`.
    static let lensName = "Lens"
    /// The key of the name of the color profile.
    static let profileName = "Profile"
}
