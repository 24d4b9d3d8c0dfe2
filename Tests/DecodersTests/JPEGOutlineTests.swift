import Testing

@testable import DecoderContracts

/// What the fuzzers compare by would let everything pass if it took no file for one in order.
@Suite struct JPEGOutlineTests {
    @Test(arguments: ["JPEG", "JPEGFast"])
    func `only damaged progressive files are out of order`(folder: String) throws {
        let files = try DamageCorpus.files(in: folder)
        let isInOrder = Dictionary(
            uniqueKeysWithValues: files.map { ($0.name, JPEGOutline($0.bytes).isInOrder) }
        )
        let name = { (damage: String) in "\(folder)/jpeg-progressive-\(damage).jpg" }

        for damage in ["in-order", "more-behind-the-end", "fill-bytes-before-markers"] {
            #expect(isInOrder[name(damage)] == true, "\(damage)")
        }
        for damage in ["end-missing", "scan-missing", "scan-repeats", "last-scan-missing"] {
            #expect(isInOrder[name(damage)] == false, "\(damage)")
        }
    }

    @Test func `the DC scans of a progressive file are taken out of it`() throws {
        let file = try #require(
            DamageCorpus.files(in: "JPEGFast").first {
                $0.name.hasSuffix("progressive-in-order.jpg")
            }
        )
        let outline = JPEGOutline(file.bytes)

        let rest = outline.withDCAlone

        #expect(rest.suffix(2) == [0xFF, 0xD9])
        #expect(rest.count < file.bytes.count / 2)
        #expect(file.bytes.starts(with: rest.dropLast(2)))
        #expect(outline.tolerance > 0 && outline.isReadAtEighth(side: 6))
    }
}
