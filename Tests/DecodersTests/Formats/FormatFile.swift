import Decoders
import Testing

/// A file of `Fixtures/Formats` with the result of another program; `make-formats.py` names the
/// program.
struct FormatFile: CustomTestStringConvertible, Sendable {
    let name: String
    let format: ImageFormat
    /// The maximum difference per channel: other programs differ in rounding and in chroma
    /// upsampling.
    var tolerance = 0

    var testDescription: String { name }

    var bytes: [UInt8] { get throws { try Fixtures.bytes(of: "Formats/\(name)") } }

    /// The image, or all frames below each other.
    var reference: PixelBuffer {
        get throws {
            let file = try Fixtures.bytes(of: "Formats/\(name).png")
            return try PNGDecoder().decode(file, options: DecodingOptions()).pixels
        }
    }

    static let stills: [FormatFile] = [
        FormatFile(name: "lossy.webp", format: .webP, tolerance: 1),
        FormatFile(name: "lossless.webp", format: .webP),
        FormatFile(name: "alpha.webp", format: .webP),
        FormatFile(name: "hidden.webp", format: .webP),
        FormatFile(name: "still.gif", format: .gif),
        FormatFile(name: "interlaced.gif", format: .gif),
        FormatFile(name: "photo.avif", format: .avif, tolerance: 3),
        FormatFile(name: "alpha.avif", format: .avif, tolerance: 3),
        FormatFile(name: "turned.avif", format: .avif, tolerance: 3),
        FormatFile(name: "early.avif", format: .avif, tolerance: 3),
        FormatFile(name: "turnedalpha.avif", format: .avif, tolerance: 3),
        FormatFile(name: "cropped.avif", format: .avif, tolerance: 3),
        FormatFile(name: "mirrored10bit.avif", format: .avif, tolerance: 3),
        FormatFile(name: "gray.avif", format: .avif, tolerance: 1),
        FormatFile(name: "minimized.avif", format: .avif, tolerance: 3),
        FormatFile(name: "photo.heic", format: .heic, tolerance: 3),
        FormatFile(name: "thumbnail.heic", format: .heic, tolerance: 3),
        FormatFile(name: "turnedfirst.heic", format: .heic, tolerance: 3),
        FormatFile(name: "lossless.jxl", format: .jpegXL),
        FormatFile(name: "lossy.jxl", format: .jpegXL, tolerance: 1),
        FormatFile(name: "raw.tiff", format: .tiff),
        FormatFile(name: "tiff_lzw.tiff", format: .tiff),
        FormatFile(name: "tiff_deflate.tiff", format: .tiff),
        FormatFile(name: "packbits.tiff", format: .tiff),
        FormatFile(name: "jpeg.tiff", format: .tiff, tolerance: 3),
        FormatFile(name: "alpha.tiff", format: .tiff, tolerance: 2),
        FormatFile(name: "gray.tiff", format: .tiff),
        FormatFile(name: "strips.tiff", format: .tiff),
        FormatFile(name: "fax.tiff", format: .tiff),
        FormatFile(name: "turned.tiff", format: .tiff),
        FormatFile(name: "signed8.tiff", format: .tiff),
        FormatFile(name: "signed16.tiff", format: .tiff),
        FormatFile(name: "bits4.tiff", format: .tiff),
        FormatFile(name: "bits6.tiff", format: .tiff),
        FormatFile(name: "bits12.tiff", format: .tiff),
        FormatFile(name: "bits32.tiff", format: .tiff),
        FormatFile(name: "bits64.tiff", format: .tiff),
        FormatFile(name: "float16.tiff", format: .tiff),
        FormatFile(name: "float32.tiff", format: .tiff),
        FormatFile(name: "float32tiles.tiff", format: .tiff),
        FormatFile(name: "float64.tiff", format: .tiff),
        FormatFile(name: "lab8.tiff", format: .tiff, tolerance: 2),
        FormatFile(name: "lab16.tiff", format: .tiff, tolerance: 2),
        FormatFile(name: "drawing.svg", format: .svg, tolerance: 1),
        FormatFile(name: "drawing.svgz", format: .svg, tolerance: 1),
        FormatFile(name: "rgb.bmp", format: .bmp),
        FormatFile(name: "alpha.bmp", format: .bmp),
        FormatFile(name: "palette.bmp", format: .bmp),
        FormatFile(name: "bits.bmp", format: .bmp),
        FormatFile(name: "runs.bmp", format: .bmp),
        FormatFile(name: "masks.bmp", format: .bmp, tolerance: 1),
        FormatFile(name: "bitmap.ico", format: .ico),
        FormatFile(name: "png.ico", format: .ico),
        FormatFile(name: "rgb.qoi", format: .qoi),
        FormatFile(name: "alpha.qoi", format: .qoi),
        FormatFile(name: "rgb.ppm", format: .pnm),
        FormatFile(name: "text.ppm", format: .pnm),
        FormatFile(name: "gray16.pgm", format: .pnm, tolerance: 1),
        FormatFile(name: "bits.pbm", format: .pnm),
        FormatFile(name: "text.pbm", format: .pnm),
        FormatFile(name: "alpha.pam", format: .pnm),
        FormatFile(name: "float.pfm", format: .pnm),
        FormatFile(name: "rgb.tga", format: .tga),
        FormatFile(name: "runs.tga", format: .tga),
        FormatFile(name: "alpha.tga", format: .tga),
        FormatFile(name: "palette.tga", format: .tga),
        FormatFile(name: "gray.tga", format: .tga),
        FormatFile(name: "rgb.psd", format: .psd),
        FormatFile(name: "rgb16.psd", format: .psd),
        FormatFile(name: "gray.psd", format: .psd),
        FormatFile(name: "bits.psd", format: .psd),
        FormatFile(name: "cmyk.psd", format: .psd, tolerance: 1),
        FormatFile(name: "alpha.psd", format: .psd, tolerance: 1),
        FormatFile(name: "large.psb", format: .psd),
        FormatFile(name: "preview.cr3", format: .cameraRAW, tolerance: 3),
        FormatFile(name: "preview.raf", format: .cameraRAW, tolerance: 3),
        FormatFile(name: "preview.orf", format: .cameraRAW, tolerance: 3),
        FormatFile(name: "preview.rw2", format: .cameraRAW, tolerance: 3),
    ]

    static let animations: [FormatFile] = [
        FormatFile(name: "moving.gif", format: .gif),
        FormatFile(name: "moving.webp", format: .webP),
        FormatFile(name: "moving.apng", format: .png),
        FormatFile(name: "moving.jxl", format: .jpegXL),
        FormatFile(name: "keep.gif", format: .gif),
        FormatFile(name: "clear.gif", format: .gif),
        FormatFile(name: "restore.gif", format: .gif),
        FormatFile(name: "keep.apng", format: .png, tolerance: 1),
        FormatFile(name: "clear.apng", format: .png, tolerance: 1),
        FormatFile(name: "restore.apng", format: .png, tolerance: 1),
    ]
}

extension PixelBuffer {
    /// Returns the maximum difference per channel, for pixels that are visible in one of the
    /// images.
    func visibleDifference(from other: PixelBuffer) -> Int {
        guard size == other.size else { return .max }
        return stride(from: 0, to: bytes.count, by: 4).map { start in
            let alpha = (Int(bytes[start + 3]), Int(other.bytes[start + 3]))
            guard alpha.0 > 0 || alpha.1 > 0 else { return 0 }
            return (0..<4).map { channel in
                abs(Int(bytes[start + channel]) - Int(other.bytes[start + channel]))
            }.max() ?? 0
        }.max() ?? 0
    }

    /// Returns `count` rows, starting with row `first`.
    func rows(from first: Int, count: Int) -> PixelBuffer {
        let rowByteCount = size.width * 4
        return PixelBuffer(
            size: PixelSize(width: size.width, height: count),
            bytes: Array(bytes[(first * rowByteCount)..<((first + count) * rowByteCount)]),
            hasAlpha: hasAlpha
        )
    }
}
