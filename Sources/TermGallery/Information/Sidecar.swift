import SystemSupport

/// The XMP sidecars of images: files in which photo managers keep ratings, labels and keywords.
enum Sidecar {
    /// Returns the paths at which a sidecar may be, in the order of increasing precedence.
    ///
    /// Adobe's programs replace the suffix of the image, as in "a.xmp". darktable and digiKam append
    /// to it, as in "a.nef.xmp", so that it belongs to one file only.
    static func paths(of file: String) -> [String] {
        let name = file.split(separator: "/").last ?? ""
        let dot = name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? $0 : nil }
        let base = dot.map { String(file.prefix(file.count - name[$0...].count)) }
        guard name[(dot ?? name.startIndex)...].lowercased() != ".xmp" else { return [] }
        return [base, file].compactMap(\.self).flatMap { ["\($0).XMP", "\($0).xmp"] }
    }
}
