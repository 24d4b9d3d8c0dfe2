/// Reads the name of a file's color space.
///
/// The name is read from the start of the file that the caller provides, without decoding the
/// image. It is untrusted, so code that displays it must sanitize it.
package enum ColorDescription {
    /// The maximum size of a profile in bytes; only a deliberately oversized profile is larger.
    private static let profileLimit = 4 << 20

    /// The text for images that do not specify a color space.
    private static let unsaid = "sRGB (assumed)"

    /// Returns the name of the color space, such as "Display P3" or "sRGB IEC61966-2.1".
    ///
    /// Returns nil if the file is not a PNG, JPEG, WebP, HEIC or AVIF file. Also returns nil if the
    /// available bytes of a HEIC or AVIF file contain no color information.
    package static func text(startOfFile bytes: [UInt8]) -> String? {
        bytes.withUnsafeBufferPointer { file in
            if file.has("PNG\r\n", at: 1) { return png(file) ?? unsaid }
            if file.count > 4, file[0] == 0xFF, file[1] == 0xD8 { return jpeg(file) ?? unsaid }
            if file.has("RIFF", at: 0), file.has("WEBP", at: 8) { return webP(file) ?? unsaid }
            if file.has("ftyp", at: 4) { return boxes(file) }
            return nil
        }
    }

    /// Returns the name of the color profile in a file, or nil if the file contains no profile.
    static func profileName(startOfFile file: UnsafeBufferPointer<UInt8>) -> String? {
        if file.has("PNG\r\n", at: 1) { return pngProfile(file) }
        if file.count > 4, file[0] == 0xFF, file[1] == 0xD8 { return jpeg(file) }
        if file.has("RIFF", at: 0), file.has("WEBP", at: 8) { return webP(file) }
        return nil
    }

    private static func jpeg(_ file: UnsafeBufferPointer<UInt8>) -> String? {
        // A profile over the limit is ignored.
        let profile = try? JPEGHeaderSegments(file).metadata.profile(limit: profileLimit)
        return profile.flatMap(ProfileName.text)
    }

    private static func png(_ file: UnsafeBufferPointer<UInt8>) -> String? {
        if let chunk = PNGChunks.range(of: "cICP", before: "IDAT", in: file), chunk.count == 4 {
            return text(
                primaries: Int(file[chunk.lowerBound]),
                transfer: Int(file[chunk.lowerBound + 1])
            )
        }
        if let name = pngProfile(file) { return name }
        let isSRGB = PNGChunks.range(of: "sRGB", before: "IDAT", in: file) != nil
        return isSRGB ? "sRGB" : nil
    }

    private static func pngProfile(_ file: UnsafeBufferPointer<UInt8>) -> String? {
        let profile = try? PNGColor.profile(in: file, limit: profileLimit)
        return profile.flatMap(ProfileName.text)
    }

    /// Returns the name of the color profile in a WebP file.
    ///
    /// A WebP file consists of chunks. Each chunk has a 4-byte name, a little-endian 32-bit length,
    /// and data padded to an even length.
    private static func webP(_ file: UnsafeBufferPointer<UInt8>) -> String? {
        var offset = 12
        while offset <= file.count - 8 {
            let count = (0..<4).reduce(0) { $0 | Int(file[offset + 4 + $1]) << (8 * $1) }
            let start = offset + 8
            guard count <= file.count - start else { return nil }
            if file.has("ICCP", at: offset) {
                return ProfileName.text(Array(file[start..<start + count]))
            }
            offset = start + count + count % 2
        }
        return nil
    }

    /// Returns the name of the color space from a `colr` box of a HEIC or AVIF file.
    ///
    /// Searches all available bytes. Uses the first box that contains a profile or, if no box
    /// contains a profile, the first box with code points.
    private static func boxes(_ file: UnsafeBufferPointer<UInt8>) -> String? {
        var best: String?
        for start in 4..<max(4, file.count - 12) where file.has("colr", at: start) {
            let size = PNGChunk.number(at: start - 4, in: file)
            if file.has("nclx", at: start + 4), file.count >= start + 12 {
                let primaries = Int(file[start + 8]) << 8 | Int(file[start + 9])
                let transfer = Int(file[start + 10]) << 8 | Int(file[start + 11])
                best = best ?? text(primaries: primaries, transfer: transfer)
            } else if file.has("prof", at: start + 4) || file.has("rICC", at: start + 4) {
                let end = min(file.count, start - 4 + Int(size))
                guard end > start + 8 else { continue }
                // A profile is more specific than code points.
                if let name = ProfileName.text(Array(file[start + 8..<end])) { return name }
            }
        }
        return best
    }

    /// Returns the common name of the color space with these code points of ITU-T H.273.
    static func text(primaries: Int, transfer: Int) -> String {
        let lights =
            switch primaries {
            case 1: transfer == 13 ? "sRGB" : "BT.709"
            case 2: "unspecified"
            case 5, 6: "BT.601"
            case 9: "BT.2020"
            case 11: "DCI-P3"
            case 12: "Display P3"
            default: "primaries \(primaries)"
            }
        let curve =
            switch transfer {
            case 8: ", linear"
            case 16: ", PQ (HDR)"
            case 18: ", HLG (HDR)"
            default: ""
            }
        return lights + curve
    }
}

/// Reads the name of a color profile from its `desc` tag (ICC.1:2022, 9.2.41).
///
/// The tag contains ASCII text in version 2 and multilingual text in version 4.
enum ProfileName {
    /// The maximum number of characters in a name.
    ///
    /// Longer text is truncated, because it is unlikely to be a real name.
    private static let longest = 200

    static func text(_ profile: [UInt8]) -> String? {
        let bytes = BigEndianBytes(bytes: profile)
        guard bytes.has("acsp", at: 36), let start = ColorProfile.offset(of: "desc", in: bytes)
        else {
            return nil
        }
        let name = bytes.has("desc", at: start) ? ascii(bytes, at: start) : multi(bytes, at: start)
        guard let name, let end = name.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        return String(name[...end].drop(while: \.isWhitespace))
    }

    /// Returns the ASCII text of a version 2 tag.
    ///
    ///     "desc" | 0 (32 bits) | length including the NUL byte (32 bits) | text
    private static func ascii(_ bytes: BigEndianBytes, at start: Int) -> String? {
        guard let count = bytes.uint32(at: start + 8), start + 12 <= bytes.bytes.count else {
            return nil
        }
        let text = bytes.bytes[(start + 12)...].prefix(min(count, longest)).prefix { $0 != 0 }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the text of a version 4 tag in the tag's first language.
    ///
    ///     "mluc" | 0 (32 bits) | count (32 bits) | size of a record (32 bits)
    ///         | language, country, length, offset …
    private static func multi(_ bytes: BigEndianBytes, at start: Int) -> String? {
        guard bytes.has("mluc", at: start), let count = bytes.uint32(at: start + 8), count > 0,
            let length = bytes.uint32(at: start + 20), let offset = bytes.uint32(at: start + 24)
        else { return nil }
        let units = (0..<min(length / 2, longest)).compactMap { index in
            bytes.uint16(at: start + offset + 2 * index).map { UInt16($0) }
        }
        return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    }
}
