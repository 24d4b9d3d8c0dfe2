import Decoders
import Testing

@testable import ImageLoading

struct CacheFileNameTests {
    @Test func `the digest of empty input is MD5's (C7)`() {
        #expect(MessageDigest.md5("").hexadecimal == "d41d8cd98f00b204e9800998ecf8427e")
    }

    @Test(arguments: [
        ("http://swiftcafe.io/images/qrcode.jpg", "aed13763c3badfdc5d2031323f7c3a35.jpg"),
        ("http://swiftcafe.io/images/qrcodexx.jpg", "429316cf6d394987b2a3fc09edb17b63.jpg"),
        ("http://a.example/noext", "423b80d40b4748d81ae8684e0d1e6d3c"),
        ("http://a.example/x.jpg?q=a/b.c", "c7529f60e5cf8d1f19442a9a57f22e5a.jpg"),
    ])
    func `a file is named by the MD5 of its URL and a plain extension (C7)`(
        text: String,
        name: String
    ) throws {
        let url = try ImageURL(parsing: text, origin: .local)

        #expect(CacheFileName.name(for: url) == name)
    }

    @Test(arguments: ["x.123456789", "x.a-b", "x.j%00pg", "x.jp;g", "x.ü", "x.", "x.."])
    func `an unusual extension is left out (F9)`(file: String) throws {
        let url = try ImageURL(parsing: "http://a.example/\(file)", origin: .local)

        #expect(CacheFileName.name(for: url).utf8.count == 32)
    }

    @Test(arguments: ["x.j", "x.JPEG", "x.12345678", "x.tar.gz"])
    func `a plain extension is kept unchanged (F9)`(file: String) throws {
        let url = try ImageURL(parsing: "http://a.example/\(file)", origin: .local)
        let written = try #require(file.split(separator: ".").last)

        #expect(CacheFileName.name(for: url).hasSuffix(".\(written)"))
    }

    @Test(arguments: [
        "00000000000000000000000000000000", "d41d8cd98f00b204e9800998ecf8427e.jpg",
        "ffffffffffffffffffffffffffffffff.A1b2C3d4", "0123456789abcdef0123456789abcdef.x",
    ])
    func `a name of ours is parsed back unchanged`(name: String) {
        #expect(CacheFileName(parsing: name)?.description == name)
    }

    @Test(arguments: [
        "", ".", "..", "CACHEDIR.TAG", "tmp-1-2", "d41d8cd98f00b204e9800998ecf8427",
        "D41D8CD98F00B204E9800998ECF8427E", "d41d8cd98f00b204e9800998ecf8427e.",
        "d41d8cd98f00b204e9800998ecf8427e.123456789", "d41d8cd98f00b204e9800998ecf8427e.a.b",
        "d41d8cd98f00b204e9800998ecf8427ejpg", "d41d8cd98f00b204e9800998ecf8427g",
        "../d41d8cd98f00b204e9800998ecf8427e", "d41d8cd98f00b204e9800998ecf8427e.jpg~",
        "+41d8cd98f00b204e9800998ecf8427e",
    ])
    func `a foreign name is not read as a cache file name`(name: String) {
        #expect(CacheFileName(parsing: name) == nil)
    }

    @Test func `the memory key of a data URL stays small and distinguishes URLs`() throws {
        let long = "data:," + String(repeating: "a", count: 50_000)
        let first = try ImageURL(parsing: long, origin: .local)
        let second = try ImageURL(parsing: long + "b", origin: .local)

        #expect(ImageKey(url: first).url.utf8.count < 60)
        #expect(ImageKey(url: first) != ImageKey(url: second))
    }

    @Test func `at full size the content mode does not change the memory key`() throws {
        let url = try ImageURL(parsing: "http://a.example/x", origin: .local)
        let size = PixelSize(width: 8, height: 8)

        #expect(ImageKey(url: url, contentMode: .fill) == ImageKey(url: url, contentMode: .fit))
        #expect(
            ImageKey(url: url, targetSize: size, contentMode: .fill)
                != ImageKey(url: url, targetSize: size, contentMode: .fit)
        )
    }
}

struct MessageDigestTests {
    @Test func `the digests equal the examples of the RFCs`() {
        #expect(MessageDigest.md5("abc").hexadecimal == "900150983cd24fb0d6963f7d28e17f72")
        #expect(MessageDigest.sha256("abc").hexadecimal == "ba7816bf8f01cfea414140de5dae2223")
    }

    @Test func `a missing libcrypto is a clear error`() throws {
        let error = #expect(throws: ImageLoadingError.self) {
            try MessageDigest.require(MessageDigest.Library(named: ["libcrypto.so.none"]))
        }

        let package = "package libssl3 of Debian, openssl-libs of Fedora"
        #expect(error?.description == "libcrypto is not installed (\(package))")
        #expect(error?.kind == .permanent && error?.stage == .request)
        try MessageDigest.requireLibrary()
    }
}
