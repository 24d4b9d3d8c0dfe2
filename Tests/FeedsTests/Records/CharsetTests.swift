import ImageLoading
import Testing

@testable import Feeds

/// Character sets that servers name.
@Suite struct CharsetTests {
    /// The bytes are those that Python's codecs make of the texts.
    @Test(
        arguments: [
            ("windows-1251", "Привет, мир", "cff0e8e2e5f22c20ece8f0"),
            ("KOI8-R", "Привет", "f0d2c9d7c5d4"),
            ("koi8-u", "Їжак", "b7d6c1cb"),
            ("shift_jis", "日本の空", "93fa967b82cc8bf3"),
            ("EUC-JP", "日本の空", "c6fccbdca4ceb6f5"),
            ("gb2312", "中文图片", "d6d0cec4cdbcc6ac"),
            ("gb18030", "𠀀中", "95328236d6d0"),
            ("big5", "中文圖片", "a4a4a4e5b9cfa4f9"),
            ("euc-kr", "한국 사진", "c7d1b1b920bbe7c1f8"),
            ("iso-8859-1", "5 € — “x”", "352080209720937894"),
            ("iso-8859-15", "5 €", "3520a4"),
            ("iso-8859-2", "Žluťoučký", "ae6c75bb6f75e86bfd"),
            ("iso-8859-7", "Αθήνα", "c1e8deede1"),
            ("iso-8859-8", "שלום", "f9ece5ed"),
            ("windows-1256", "صورة", "d5e6d1c9"),
            ("windows-1254", "İstanbul", "dd7374616e62756c"),
            ("utf-16le", "Ä ☺", "c40020003a26"),
            ("utf-16be", "Ä ☺", "00c40020263a"),
        ]
    )
    func `text is decoded in the encoding of its server`(
        label: String,
        text: String,
        hex: String
    ) throws {
        let charset = try #require(Charset(contentType: "text/plain; charset=\(label)"))

        #expect(try String(decoding: #require(charset.utf8(bytes(hex))), as: UTF8.self) == text)
    }

    private func bytes(_ hex: String) -> [UInt8] {
        stride(from: 0, to: hex.utf8.count, by: 2).compactMap {
            UInt8(hex.dropFirst($0).prefix(2), radix: 16)
        }
    }

    @Test(
        arguments: [
            ("text/csv; header=present; charset=\"windows-1251\"", "CP1251"),
            ("TEXT/HTML;CHARSET=Shift_JIS", "CP932"), ("text/html; charset=latin1; x=y", "CP1252"),
            ("text/html", nil), ("charset=koi8-r", nil), ("text/html; charset", nil),
            ("text/html; charset=", nil), ("text/html; charset=utf-8", nil),
            ("text/html; charset=iso-2022-cn-ext", nil), ("text/html; charset=utf-7", nil),
            ("text/html; charset=../../x", nil), ("text/html; charset=CP1252//TRANSLIT", nil),
        ]
    )
    func `only encodings of the web are supported`(contentType: String, name: String?) {
        #expect(Charset(contentType: contentType)?.name == name)
    }

    @Test func `invalid bytes are replaced one by one, and the following text is kept`() throws {
        let charset = try #require(Charset(contentType: "a/b; charset=euc-kr"))

        let found = charset.utf8([0x61, 0xFF, 0xFF, 0x62, 0xC7])

        #expect(found.map { String(decoding: $0, as: UTF8.self) } == "a\u{FFFD}\u{FFFD}b\u{FFFD}")
        #expect(charset.utf8([]) == [])
        let long = [UInt8](repeating: 0x61, count: 100_000)
        #expect(charset.utf8(long) == long)
    }

    @Test
    func `a byte order mark or the user's choice takes precedence over the server's`() {
        let type = "text/xml; charset=koi8-r"
        let automatic = FeedOptions()
        var latin1 = FeedOptions()
        latin1.encoding = .latin1
        let word: [UInt8] = [0xC1, 0xC2]
        for (bytes, options) in [
            (Array("Ä".utf8), automatic), ([0xFF, 0xFE] + word, automatic), (word, latin1),
        ] {
            #expect(FeedText.utf8(bytes, contentType: type, options) == bytes)
        }
        #expect(FeedText.utf8(word, contentType: type, automatic) == Array("аб".utf8))
        #expect(FeedText.utf8(word, contentType: nil, automatic) == word)
        let xml = Array("<?xml version='1.0' encoding='windows-1251'?><a>".utf8) + word
        #expect(FeedText.utf8(xml, contentType: type, automatic).suffix(4) == Array("аб".utf8)[...])
    }
}
