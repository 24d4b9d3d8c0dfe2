/// Possible damage of a feed.
enum FeedDamage {
    static let files: [DamagedFile] =
        texts.map { ("feed-\($0.key).txt", Array($0.value.utf8)) } + raw

    private static let line = "https://host.example/a.jpg A picture\n"

    private static let texts: KeyValuePairs<String, String> = [
        "in-order": "# pictures\n\n\(line)b/c.png\t with a tab\n\"d e.jpg\" quoted\n/f.jpg\n",
        "empty": "",
        "comments-alone": "# one\n  # two\n\n\t\n",
        "line-end-missing": "https://host.example/a.jpg",
        "line-ends-of-dos": "a.jpg one\r\nb.jpg two\r\n\r\n",
        "line-ends-of-old-macs": "a.jpg one\rb.jpg two\r",
        "line-of-9-kib": String(repeating: "a", count: 9 << 10) + "\n" + line,
        "line-of-8-kib": String(repeating: "é", count: 4 << 10) + "\n",
        "mark-twice": "\u{FEFF}\u{FEFF}a.jpg one\n",
        "mark-alone": "\u{FEFF}",
        "escape-sequence-in-caption": "a.jpg \u{1B}[2J\u{1B}]0;title\u{7} gone\n",
        "escape-sequence-in-url": "a\u{1B}[31m.jpg red\n",
        "controls-of-eight-bits": "a.jpg \u{9B}2J\u{85}\u{90}x\u{9C}\n",
        "text-turned-round": "a.jpg \u{202E}gpj.exe\u{2066}\u{200F}\n",
        "tags-and-joiners": "a.jpg \u{E0041}\u{200D}\u{FE0F}\u{2060}👩‍👩‍👧🇩🇪\n",
        "marks-piled-up": "a.jpg e" + String(repeating: "\u{301}", count: 400) + "\n",
        "line-separators": "a.jpg one\u{2028}two\u{2029}three\n",
        "wide-characters": "a.jpg " + String(repeating: "漢", count: 40) + "\n",
        "quote-unclosed": "\"a b.jpg no end\n\"\" nothing\n\"\n",
        "percent-cut": "http://host.example/%\nhttp://host.example/%4\nhttp://host.example/%zz\n",
        "percent-of-controls": "http://host.example/%1B%5B2J%00%0A.jpg\n",
        "scheme-unknown": "javascript:alert(1)\nftp://host.example/a\nx:\n:\n",
        "scheme-in-capitals": "HTTP://host.example/a.jpg\nFILE:///etc/passwd\nDaTa:,x\n",
        "host-missing": "http://\nhttps:///a\nhttp:a\nhttp://?x\n",
        "files-and-data": "file:///etc/passwd\ndata:image/png;base64,iVBO\ndata:,\u{e9}\n",
        "dot-segments": "../../../../etc/passwd\n/../..//./x\n./\n..\n.\n//host.example/../x\n",
        "references": "?q\n#f\n//host\n///\n//\n;p\na:b\n",
        "html": "<!DOCTYPE html><html><body>no</body></html>",
        "json": "  [{\"url\": 1}]",
        "rss": "<?xml version=\"1.0\"?><rss></rss>",
        "spaces-alone": " \t\r \n \u{A0}\n\u{3000}\n",
    ]

    private static let raw: [DamagedFile] = [
        ("feed-nul-bytes.txt", Array("a.jpg\0b\n\0\n".utf8)),
        ("feed-nul-bytes-late.txt", Array(repeating: 0x61, count: 1100) + [0, 10]),
        ("feed-utf-16.txt", [0xFF, 0xFE, 0x61, 0, 0x0A, 0]),
        (
            "feed-of-invalid-utf-8.txt",
            Array("a\u{e9}".utf8).dropLast() + [0x20, 0xC0, 0xAF, 0xED, 0xA0, 0x80, 0xFF, 10]
        ),
        ("feed-character-cut-by-line-end.txt", [0x61, 0x20, 0xF0, 0x9F, 0x98, 10, 0x80, 0x62, 10]),
        ("feed-is-a-picture.txt", [0xFF, 0xD8, 0xFF, 0xE0, 0, 16]),
        ("feed-of-noise.txt", noise(400).map { $0 == 0 ? 1 : $0 }),
    ]
}
