import Foundation
import Testing

@testable import Decoders

/// The detection and the size of SVG documents, as in browsers.
@Suite struct DrawingTests {
    private let registry = DecoderRegistry.standard
    private static let drawing =
        "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='6'>"
        + "<rect width='8' height='6' fill='#f00'/></svg>"

    private func isRed(_ file: [UInt8]) throws -> Bool {
        let image = try registry.decode(file, options: DecodingOptions())
        return image.properties.format == .svg
            && image.pixels.size == PixelSize(width: 8, height: 6)
            && Array(image.pixels.bytes.prefix(4)) == [255, 0, 0, 255]
    }

    @Test(arguments: [
        ("10mm", 38), ("1in", 96), ("72pt", 96), ("2.54cm", 96), ("6pc", 96), ("96px", 96),
        ("96", 96), ("40mm", 151), ("151.5", 152), ("0.1", 1),
    ])
    func `a length is 96 pixels for each inch`(length: String, pixelCount: Int) throws {
        let text = "<svg xmlns='http://www.w3.org/2000/svg' width='\(length)' height='\(length)'/>"

        let size = try registry.probe(Array(text.utf8)).size

        #expect(size == PixelSize(width: pixelCount, height: pixelCount))
    }

    @Test func `the right edge of a drawing in millimeters is shown`() throws {
        let text =
            "<svg xmlns='http://www.w3.org/2000/svg' width='25.4mm' height='25.4mm'>"
            + "<rect x='94' width='2' height='96' fill='#00f'/></svg>"

        let pixels = try registry.decode(Array(text.utf8), options: DecodingOptions()).pixels

        #expect(pixels[95, 50] == Pixel(0, 0, 255, 255) && pixels[93, 50].alpha == 0)
    }

    /// librsvg alone shows them only if plug-ins are installed.
    @Test(arguments: ["lossy.webp", "photo.avif"])
    func `an embedded WebP or AVIF image is shown`(name: String) throws {
        let file = try Fixtures.bytes(of: "Formats/\(name)")
        let image = try registry.decode(file, options: DecodingOptions()).pixels
        let type = try #require(name.split(separator: ".").last)
        let size = "width='\(image.size.width)' height='\(image.size.height)'"
        let base64 = Data(file).base64EncodedString(options: .lineLength76Characters)
        let text =
            "<svg xmlns='http://www.w3.org/2000/svg' \(size)><image \(size) "
            + "href='data:image/\(type);base64,\(base64.replacing("\r\n", with: "&#10;\n"))'/></svg>"

        let drawn = try registry.decode(Array(text.utf8), options: DecodingOptions()).pixels

        #expect(drawn.visibleDifference(from: image) <= 1)
    }

    @Test(arguments: [
        "data:image/webp;base64,", "data:image/webp;base64,####", "data:image/avif;base64,AAAA",
        "data:image/webp", "data:image/webp;base64,PHN2Zy8+", "data:image/avif;charset=x;base64,A=",
    ])
    func `a broken embedded image leaves the rest of the drawing`(address: String) throws {
        let image = "<image width='8' height='6' href='\(address)'/>"
        let text = Self.drawing.replacing("</svg>", with: image + "</svg>")

        #expect(try isRed(Array(text.utf8)))
    }

    private static let preambles = [
        "", "\u{FEFF}", " \n", "<?xml version='1.0'?>",
        "<!-- " + String(repeating: "A license. ", count: 3_000) + "-->",
        "<!-- <html> is not the first element -->",
        "<?xml version='1.0'?><?xml-stylesheet href='a.css' type='text/css'?>",
        "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'http://www.w3.org/a>b.dtd' [\n"
            + "<!ENTITY a 'http://ns.example/>'><!-- ]> -->"
            + String(repeating: "<!ENTITY b \"]>\">\n", count: 200) + "]>",
    ]

    @Test(arguments: preambles.indices)
    func `the first element decides, however long the preamble is`(index: Int) throws {
        #expect(try isRed(Array((Self.preambles[index] + Self.drawing).utf8)))
    }

    @Test func `UTF-16 is detected in both byte orders`() throws {
        let units = Array(("\u{FEFF}" + Self.drawing).utf16)

        #expect(try isRed(units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }))
        #expect(try isRed(units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }))
    }

    @Test(arguments: [
        "<html><body><svg/></body></html>", "<!DOCTYPE html><title>a</title><svg></svg>",
        "<!doctype html><svg></svg>", "<rss><svg/></rss>", "<!-- <svg> -->", "<!-- <svg ",
        "<?xml <svg", "<!DOCTYPE svg [ <svg>",
        "text <svg>", "<svgg/>", "<svg",
    ])
    func `a document with another first element is not a drawing`(text: String) {
        #expect(registry.format(of: Array(text.utf8)) == nil)
        for end in 0..<text.utf8.count {
            #expect(registry.format(of: Array(text.utf8.prefix(end))) == nil)
        }
    }

    @Test func `a drawing inside of text is reported as what it is in`() {
        let page = Array("<!-- <svg> --><html><svg/></html>".utf8)

        #expect(throws: ImageDecodingError.unsupportedFormat("HTML page")) {
            try registry.decode(page, options: DecodingOptions())
        }
    }

    @Test func `a namespace prefix belongs to the name`() throws {
        let text =
            "<s:svg xmlns:s='http://www.w3.org/2000/svg' width='8' height='6'>"
            + "<s:rect width='8' height='6' fill='#f00'/></s:svg>"

        #expect(try isRed(Array(text.utf8)))
    }

    // MARK: - gzip

    @Test func `a compressed drawing that is cut or damaged is an error`() throws {
        let file = try Fixtures.bytes(of: "Formats/drawing.svgz")
        for count in 12..<file.count {
            #expect(throws: ImageDecodingError.self) {
                try registry.decode(Array(file.prefix(count)), options: DecodingOptions())
            }
        }
        var changed = file
        changed[file.count - 6] ^= 1

        #expect(throws: ImageDecodingError.corrupt(.svg, "invalid gzip data")) {
            try registry.decode(changed, options: DecodingOptions())
        }
    }

    @Test func `a compressed drawing above the limit is refused by its size`() throws {
        let file = try Fixtures.bytes(of: "Formats/drawing.svgz")
        let options = DecodingOptions(limits: DecodingLimits(maximumByteCount: 400))

        #expect(throws: ImageDecodingError.tooMuchMemory(byteCount: 101, limit: 100)) {
            try registry.decode(file, options: options)
        }
    }

    // MARK: - Drop shadows

    private static func shadowed(_ primitives: String) -> [UInt8] {
        let text =
            "<svg xmlns='http://www.w3.org/2000/svg' width='60' height='60'>"
            + "<filter id='f'>\(primitives)</filter>"
            + "<rect x='5' y='5' width='30' height='30' fill='#00f' filter='url(#f)'/></svg>"
        return Array(text.utf8)
    }

    private static let shadow =
        "<feGaussianBlur in='SourceGraphic' stdDeviation='1'/><feOffset dx='8' dy='9' result='o'/>"
        + "<feFlood flood-color='red'/><feComposite in2='o' operator='in'/>"
        + "<feMerge><feMergeNode/><feMergeNode in='SourceGraphic'/></feMerge>"

    /// librsvg 2.54 leaves out each element with this primitive.
    @Test(arguments: [
        "<feDropShadow dx='8' dy='9' stdDeviation='1' flood-color='red'/>",
        "<feDropShadow\n dx = \"8\" dy='9' stdDeviation='1' style='flood-color:red'></feDropShadow>",
        "<feDropShadow in='SourceGraphic' dx='8' dy='9' stdDeviation='1' flood-color='red'>\n"
            + "<!-- > --></feDropShadow >",
        "<feDropShadow dx='8' dy='9' stdDeviation='1' flood-color='red' result='a'/>"
            + "<feOffset in='a' dx='0' dy='0'/>",
    ])
    func `a drop shadow is drawn like the primitives that define it`(primitive: String) throws {
        let expected = try registry.decode(Self.shadowed(Self.shadow), options: DecodingOptions())

        let image = try registry.decode(Self.shadowed(primitive), options: DecodingOptions())

        #expect(image.pixels == expected.pixels)
        #expect(
            image.pixels[20, 20] == Pixel(0, 0, 255) && image.pixels[36, 36] == Pixel(255, 0, 0)
        )
    }

    @Test func `a damaged drop shadow gives a drawing or an error`() {
        let whole = Self.shadowed("<feDropShadow dx='8' flood-color='red'>\n</feDropShadow>")
        for count in 0..<whole.count {
            _ = try? registry.decode(Array(whole.prefix(count)), options: DecodingOptions())
            var changed = whole
            for byte in [UInt8(ascii: ">"), UInt8(ascii: "="), UInt8(ascii: "'"), 0xFF] {
                changed[count] = byte
                _ = try? registry.decode(changed, options: DecodingOptions())
            }
        }
    }

    /// If the drop shadows in the result were also replaced, decoding this document would not end.
    @Test func `drop shadows in the attributes of another one are not replaced`() {
        let attribute = "</feDropShadow><feDropShadow in=\"/> x dx=</feDropShadow>"
        let document = Self.shadowed("<feDropShadow style='\(attribute)'/>")

        _ = try? registry.probe(document)
        _ = try? registry.decode(document, options: DecodingOptions())

        let replaced = document.withUnsafeBufferPointer {
            SVGDropShadows.replaced(in: $0, limit: 1 << 20)
        }
        #expect(String(decoding: replaced ?? [], as: UTF8.self).contains("<feDropShadow "))
    }

    @Test func `many drop shadows are replaced in linear time up to the limit`() {
        let document = Self.shadowed(String(repeating: "<feDropShadow/>", count: 100_000))

        document.withUnsafeBufferPointer { document in
            let replaced = SVGDropShadows.replaced(in: document, limit: 64 << 20)
            #expect(replaced?.count ?? 0 > 10 * document.count)
            #expect(SVGDropShadows.replaced(in: document, limit: 1 << 20) == nil)
        }
    }
}
