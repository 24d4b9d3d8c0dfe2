import Testing

@testable import Decoders

/// The difference between lists of files and images whose signature consists of letters.
@Suite struct ContentKindTests {
    /// Signatures of letters, with the rest of a header as a program writes it.
    private static let images: [(file: [UInt8], name: String)] = [
        (Array("GIF89a".utf8) + [88, 0, 31, 0, 0xF7, 0, 0], "GIF"),
        (Array("RIFF".utf8) + [9, 1, 0, 0] + Array("WEBPVP8 ".utf8), "WebP"),
        ([0, 0, 0, 28] + Array("ftypavif".utf8) + [0, 0, 0, 0], "AVIF"),
        ([0, 0, 0, 28] + Array("ftypavis".utf8) + [0, 0, 0, 0], "AVIF"),
        ([0, 0, 0, 16] + Array("ftypmif3avif".utf8), "AVIF"),
        ([0, 0, 0, 16] + Array("ftypmif3heic".utf8), "HEIC"),
        ([0, 0, 0, 28] + Array("ftypheic".utf8) + [0, 0, 0, 0], "HEIC"),
        ([0, 0, 0, 28] + Array("ftypisom".utf8) + [0, 0, 2, 0], "MP4"),
        ([0, 0, 0, 99] + Array("moov".utf8) + [0, 0, 0, 108], "QuickTime"),
        (Array("FLIF31".utf8) + [0x81, 0x3F, 0x81, 0x1F], "FLIF"),
        (Array("FOVb".utf8) + [0, 0, 2, 0], "X3F"),
        (Array("XPDS".utf8) + [0, 8, 0, 0], "DPX"),
        (Array("FORM".utf8) + [0, 0, 1, 2] + Array("ILBMBMHD".utf8), "ILBM"),
        (Array("RIFF".utf8) + [0, 1, 0, 2] + Array("AVI LIST".utf8), "AVI"),
        (Array("gimp xcf file".utf8) + [0, 0, 0, 1], "XCF"),
        (Array("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n".utf8), "HDR"),
        (Array("SIMPLE  =                    T".utf8), "FITS"),
        (Array("/* XPM */\nstatic char *a[] = {".utf8), "XPM"),
        (Array("%!PS-Adobe-3.0 EPSF-3.0\n".utf8), "EPS"), (Array("%PDF-1.7\n".utf8), "PDF"),
    ]

    @Test(arguments: images.indices)
    func `the signature of a format is recognized`(index: Int) {
        let (file, name) = Self.images[index]

        #expect(ContentKind.describe(file) == name)
    }

    @Test(arguments: [
        "GIF8/1.gif", "GIF89a-files/1.gif", "old/pic/WEBP.webp", "new/ftyp.jpg",
        "our/moov/1.jpg", "your/moov.jpg", "FLIF.png", "FLIFs/1.png", "FOVb.jpg", "IIRO/1.jpg",
        "IIRS 2024/1.jpg", "MMOR.jpg", "FUJIFILMCCD-RAW .jpg", "a/b/ftypcrx .cr3", "XPDS.png",
        "amiga/x/ILBM.png", "a/videosAVI LIST.png", "gimp xcf .png",
        "our/JXL .png", "a/name/of/forty/characters/in/the/path/a EMF.png", "qoif.jpg",
        "qoifs/1.qoi",
        "BM.jpg", "BMW/1.jpg", "P1 1.jpg", "P6/1.jpg", "PF.jpg", "Pf 2.jpg", "P7 a.jpg",
        "DDS .jpg", "8BPS.psd", "icns.png", "SDPX.png", "OggS.png", "farbfeld.png",
        "Größe FLIF.jpg",
    ])
    func `a list whose first line starts with the letters of a signature is text`(name: String) {
        for ending in ["\n", "\nhttps://example.com/2.jpg\n", "\r\n/home/a/2.jpg\r\n"] {
            let list = Array((name + ending).utf8)

            #expect(ContentKind.describe(list) == "text", "\(name)")
            #expect(throws: ImageDecodingError.unsupportedFormat("text"), "\(name)") {
                try DecoderRegistry.standard.probe(list)
            }
        }
    }
}
