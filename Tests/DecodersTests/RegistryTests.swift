import Decoders
import Testing

@Suite struct RegistryTests {
    @Test(arguments: [
        ("", "empty file"), (" \n", "blank text"), ("<!DOCTYPE html><p>", "HTML page"),
        ("\n <HTML>404</HTML>", "HTML page"), ("<head>", "HTML page"),
        ("<?xml version='1.0'?><svg xmlns=''/>", "SVG"), ("<svg/>", "SVG"), ("<rss/>", "XML"),
        ("{\"error\": 1}", "JSON"), ("Not Found", "text"), ("GIF89a\u{1}", "GIF"),
        ("RIFF\u{1}\u{1}\u{1}\u{1}WEBPVP8 ", "WebP"), ("\0\0\0\u{1C}ftypavif", "AVIF"),
        ("\0\0\0\u{18}ftypheic", "HEIC"), ("%PDF-1.7\n", "PDF"),
        ("\u{1}\u{2}\u{3}", "unknown data"),
    ])
    func `what is no picture is named`(text: String, kind: String) {
        #expect(throws: ImageDecodingError.unsupportedFormat(kind)) {
            try DecoderRegistry.standard.probe(Array(text.utf8))
        }
    }

    @Test func `the format is told by bytes`() throws {
        let picture = quarterPicture()

        #expect(ImageFormat(magicOf: try PNGEncoder.encode(picture)) == .png)
        #expect(ImageFormat(magicOf: try JPEGEncoder.encode(picture, quality: 80)) == .jpeg)
        #expect(ImageFormat(magicOf: []) == nil)
    }

    @Test func `the last registered decoder is asked first`() throws {
        /// Says that everything is a picture of one pixel.
        struct OnePixel: ImageDecoder {
            var format: ImageFormat { .png }
            func canDecode(_ prefix: [UInt8]) -> Bool { true }
            func probe(_ bytes: [UInt8]) -> ImageProperties {
                ImageProperties(
                    format: .png,
                    size: PixelSize(width: 1, height: 1),
                    orientation: 1,
                    hasAlpha: false,
                    isProgressive: false
                )
            }
            func decode(
                _ bytes: [UInt8],
                options: DecodingOptions
            ) throws(ImageDecodingError) -> DecodedImage { throw .empty }
        }
        let file = try JPEGEncoder.encode(quarterPicture(), quality: 80)
        var registry = DecoderRegistry.standard

        registry.register(OnePixel())

        #expect(try registry.probe(file).size == PixelSize(width: 1, height: 1))
        #expect(try DecoderRegistry.standard.probe(file).format == .jpeg)
    }
}
