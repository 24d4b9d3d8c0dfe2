import Testing

@testable import Decoders

@Suite struct ImageMetadataTests {
    private static let metadata: ImageMetadata = {
        var metadata = ImageMetadata()
        metadata.add("Exif.Image.Model", ["Canon EOS R5"])
        metadata.add("Xmp.dc.subject", ["one", "", "zwölf"])
        metadata.problem = "damaged: x"
        return metadata
    }()

    @Test func `encoded metadata is decoded unchanged`() {
        #expect(ImageMetadata(bytes: Self.metadata.bytes) == Self.metadata)
        #expect(ImageMetadata(bytes: []) == ImageMetadata())
    }

    @Test func `any bytes of a helper are metadata`() {
        let bytes = Self.metadata.bytes
        for count in bytes.indices {
            #expect(ImageMetadata(bytes: Array(bytes[..<count])).fields.count <= 2)
            for value in [0, 0x41, 0xFF] as [UInt8] {
                var changed = bytes
                changed[count] = value
                _ = ImageMetadata(bytes: changed)
            }
        }
    }

    @Test func `values beyond the maximum are left out`() {
        var metadata = ImageMetadata()
        metadata.add("a", [String(repeating: "x", count: ImageMetadata.maximumByteCount)])
        metadata.add("b", ["y"])

        #expect(ImageMetadata(bytes: metadata.bytes).fields.map(\.key) == ["b"])
    }

    @Test func `tags of a sidecar replace those of the image`() {
        var metadata = Self.metadata
        var sidecar = ImageMetadata()
        sidecar.add("Xmp.dc.subject", ["two"])
        sidecar.add("Xmp.xmp.Rating", ["4"])
        metadata.replace(with: sidecar)

        #expect(metadata["Xmp.dc.subject"] == ["two"] && metadata["Xmp.xmp.Rating"] == ["4"])
        #expect(metadata["Exif.Image.Model"] == ["Canon EOS R5"])
    }

    @Test func `a file cut anywhere has some tags or a reason`() {
        let file = CameraFactsTests.block()
        let whole = file.withUnsafeBufferPointer(MetadataReader.read)
        #expect(whole["Exif.Image.Model"] == ["Canon EOS R5"] && whole.problem == nil)
        for count in 0..<file.count {
            let part = file[..<count].withUnsafeBufferPointer(MetadataReader.read)
            #expect(part.fields.count <= whole.fields.count)
        }
    }
}
