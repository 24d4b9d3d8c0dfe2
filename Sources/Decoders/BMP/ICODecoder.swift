extension ImageFormat {
    /// Windows icons and cursors.
    public static let ico = ImageFormat(
        rawValue: "ico",
        displayName: "icon",
        fileSuffixes: ["ico", "cur"],
        mediaTypes: ["image/x-icon", "image/vnd.microsoft.icon"]
    )
}

/// A decoder for the largest image in an icon.
///
/// The image can be a bitmap, a PNG or a JPEG.
///
///     0 (16) | 1, or 2 for a cursor (16) | number of images (16)
///     for each: width (8) | height (8) | colors (8) | 0 (8) | planes (16) | bits per pixel (16)
///         | bytes (32) | offset (32)
///
/// Numbers in parentheses are sizes in bits. An icon contains only a few images, with sides of up
/// to 256 pixels, so the largest image is used for all sizes.
public struct ICODecoder: InPlaceDecoder {
    /// The icon format.
    public var format: ImageFormat { .ico }

    private static let directoryOffset = 6
    private static let entryByteCount = 16
    private static let maximumEntryCount = 256

    private struct Entry {
        let side: Int
        let bitCount: Int
        let data: Range<Int>
    }

    /// Creates a decoder.
    public init() {}

    /// Returns whether the bytes start with the header of an icon or a cursor.
    ///
    /// A TGA file can start with the same four bytes as a cursor, but its next bytes are zeros.
    public func canDecode(_ prefix: [UInt8]) -> Bool {
        if prefix.starts(with: [0, 0, 1, 0]) { return true }
        guard prefix.count >= 22, prefix.starts(with: [0, 0, 2, 0]) else { return false }
        return (prefix[4] != 0 || prefix[5] != 0) && prefix[9] == 0
    }

    /// Reads the image properties from the header without decoding pixels.
    public func probe(
        _ buffer: UnsafeBufferPointer<UInt8>
    ) throws(ImageDecodingError) -> ImageProperties {
        let picture = try largestPicture(in: buffer)
        guard let decoder = Self.decoder(of: picture) else {
            return try bitmap(in: picture).properties(.ico)
        }
        return try inIcon { () throws(ImageDecodingError) in
            try decoder.probe(picture).with(format: .ico)
        }
    }

    /// Synchronously decodes the image at the requested size.
    public func decode(
        _ buffer: UnsafeBufferPointer<UInt8>,
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        let picture = try largestPicture(in: buffer)
        guard let decoder = Self.decoder(of: picture) else {
            let bitmap = try bitmap(in: picture)
            let plan = try DecodingPlan(properties: bitmap.properties(.ico), options: options)
            return try image(of: bitmap, in: picture, plan)
        }
        let image = try inIcon { () throws(ImageDecodingError) in
            try decoder.decode(picture, options: options)
        }
        return DecodedImage(
            pixels: image.pixels,
            properties: image.properties.with(format: .ico),
            isFinal: image.isFinal,
            damage: image.damage,
            isThumbnail: image.isThumbnail
        )
    }

    /// Returns the decoder for an embedded image file, or nil if the image is a bitmap.
    ///
    /// Windows reads only PNG files in icons. Some programs also write JPEG files.
    private static func decoder(
        of picture: UnsafeBufferPointer<UInt8>
    ) -> (any InPlaceDecoder)? {
        let decoders: [any InPlaceDecoder] = [PNGDecoder(), JPEGDecoder()]
        let start = Array(picture.prefix(8))
        return decoders.first { $0.canDecode(start) }
    }

    /// Calls `work` and rethrows errors of the embedded file as errors of the icon.
    private func inIcon<Value>(
        _ work: () throws(ImageDecodingError) -> Value
    ) throws(ImageDecodingError) -> Value {
        do throws(ImageDecodingError) {
            return try work()
        } catch .truncated {
            throw .truncated(.ico)
        } catch .corrupt(_, let reason) {
            throw .corrupt(.ico, reason)
        }
    }

    private func largestPicture(
        in buffer: UnsafeBufferPointer<UInt8>
    ) throws(ImageDecodingError) -> UnsafeBufferPointer<UInt8> {
        let file = LittleEndianBytes(bytes: buffer)
        guard let count = file.uint16(at: 4) else { throw .truncated(.ico) }
        let entries = (0..<min(count, Self.maximumEntryCount)).compactMap { index -> Entry? in
            let entry = Self.directoryOffset + index * Self.entryByteCount
            guard let side = file.uint8(at: entry), let bitCount = file.uint16(at: entry + 6),
                let byteCount = file.uint32(at: entry + 8),
                let offset = file.uint32(at: entry + 12), offset < file.count
            else { return nil }
            // The image's decoder detects truncated data.
            return Entry(
                side: side == 0 ? 256 : side,
                bitCount: bitCount,
                data: offset..<min(offset + byteCount, file.count)
            )
        }
        let largest = entries.max { ($0.side, $0.bitCount) < ($1.side, $1.bitCount) }
        guard let largest else {
            throw count == 0 ? .corrupt(.ico, "no images") : .truncated(.ico)
        }
        return UnsafeBufferPointer(rebasing: buffer[largest.data])
    }

    private func bitmap(
        in buffer: UnsafeBufferPointer<UInt8>
    ) throws(ImageDecodingError) -> Bitmap {
        let file = LittleEndianBytes(bytes: buffer)
        return try Bitmap(file, at: 0, dataOffset: nil, isIcon: true, format: .ico)
    }

    /// Decodes a bitmap in an icon.
    ///
    /// The alpha channel defines the transparency. If that channel is missing or contains only
    /// zeros, the mask after the bitmap defines the transparency instead.
    private func image(
        of bitmap: Bitmap,
        in file: UnsafeBufferPointer<UInt8>,
        _ plan: DecodingPlan
    ) throws(ImageDecodingError) -> DecodedImage {
        let size = bitmap.size
        try plan.checkMemory(
            BitmapPixels.workByteCount(of: bitmap).saturatingAdd(size.byteCount)
        )
        let pixels = BitmapPixels(bitmap, in: file)
        let isWhole = pixels.storedRowCount == size.height
        try plan.checkRows(pixels.storedRowCount, of: size.height)
        var bytes = [UInt8](repeating: 0, count: size.byteCount)
        bytes.withUnsafeMutableBufferPointer { bytes in
            let rowByteCount = size.width * 4
            for row in 0..<size.height {
                let range = (row * rowByteCount)..<((row + 1) * rowByteCount)
                pixels.read(row, into: UnsafeMutableBufferPointer(rebasing: bytes[range]))
            }
        }
        var hasOwnAlpha = false
        if case .channels(_, byteCount: 4) = bitmap.coding {
            hasOwnAlpha = stride(from: 3, to: bytes.count, by: 4).contains { bytes[$0] != 0 }
        }
        if !hasOwnAlpha { mask(&bytes, of: bitmap, in: file) }
        let whole = PixelBuffer(size: size, bytes: bytes, hasAlpha: true)
        return try plan.image(from: whole.resampled(to: plan.storedTarget), isFinal: isWhole)
    }

    /// Sets the alpha of each pixel from the mask.
    ///
    /// The mask contains one bit per pixel, in the same row order as the bitmap. The bit is set for
    /// transparent pixels.
    private func mask(
        _ bytes: inout [UInt8],
        of bitmap: Bitmap,
        in file: UnsafeBufferPointer<UInt8>
    ) {
        let size = bitmap.size
        let rowByteCount = (size.width + 31) / 32 * 4
        let start = bitmap.dataOffset + bitmap.rowByteCount * size.height
        for row in 0..<size.height {
            let stored = bitmap.isTopDown ? row : size.height - 1 - row
            for column in 0..<size.width {
                let place = start + stored * rowByteCount + column / 8
                let isSet = place < file.count && file[place] >> (7 - column % 8) & 1 == 1
                bytes[(row * size.width + column) * 4 + 3] = isSet ? 0 : 255
            }
        }
    }
}

extension ImageProperties {
    fileprivate func with(format: ImageFormat) -> ImageProperties {
        ImageProperties(
            format: format,
            size: size,
            orientation: orientation,
            hasAlpha: hasAlpha,
            isProgressive: isProgressive
        )
    }
}
