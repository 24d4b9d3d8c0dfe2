/// Possible damage of tables and JSON lists.
enum DocumentDamage {
    static let json = files(jsonTexts, "json")
    static let tables = files(tableTexts, "csv")

    private static func files(
        _ texts: KeyValuePairs<String, String>,
        _ suffix: String
    ) -> [DamagedFile] {
        texts.map { ("\(suffix)-\($0.key).\(suffix)", Array($0.value.utf8)) }
    }

    private static let object =
        #"{"url":"https://host.example/a.jpg","caption":"A","size":[1,2.5]}"#

    private static let jsonTexts: KeyValuePairs<String, String> = [
        "lines": "\(object)\n\(object)\r\n\n  \(object)\n",
        "array": "[\(object),\n\(object) , \"b.png\"]",
        "array-cut": "[\(object),\(object.prefix(20))",
        "array-without-commas": "[\(object) \(object)]",
        "array-of-strings": #"["https://host.example/a.jpg","a b.jpg",""]"#,
        "brackets-crossed": #"[{"a":[1}],{"b":2]]"#,
        "deep": String(repeating: "[", count: 300) + String(repeating: "]", count: 300),
        "deep-objects": String(repeating: #"{"a":"#, count: 300),
        "escapes": #"{"url":"\u0068ttp:\/\/h\/\ud83d\ude00.jpg","caption":"\"\\\n\u0000"}"#,
        "escapes-cut": #"["\u12","\ud800","\x","\"#,
        "numbers": "[0,-0,1e5,-1.50E+3,12345678901234567890,1e999,01,1.,-]",
        "names-doubled": #"{"url":"a.jpg","url":"b.jpg","url":1}"#,
        "names-empty": #"{"":{"":"a.jpg"}}"#,
        "marks": "\u{FEFF}[1]\u{FEFF}",
        "nested":
            #"{"media":[{"url":"http://host.example/1","alt":"x"}],"user":{"avatar":"u.png"}}"#,
        "login": #"{"url":"http://me:secret@host.example/a.jpg"}"#,
        "data": #"["data:image/png;base64,iVBO","file:///etc/passwd"]"#,
    ]

    private static let tableTexts: KeyValuePairs<String, String> = [
        "in-order": "url,caption\nhttps://host.example/a.jpg,A\nb.jpg,\"B, \"\"b\"\"\"\n",
        "semicolons": "caption;url\r\nA;a.jpg\r\n\r\nB;b.jpg",
        "tabs": "image\ttitle\na.jpg\tA\n",
        "line-in-field": "url,caption\na.jpg,\"one\ntwo\"\nb.jpg,x\n",
        "quote-unclosed": "url,caption\na.jpg,\"one\nb.jpg,two\n",
        "quotes": "\"\"\"\",\"\",\"a\"b\"c\",d\"e\n",
        "fields-missing": "url,caption,x\na.jpg\n,\n,,,,\n",
        "heading-alone": "url,caption\n",
        "heading-empty": ",url,,url\n1,a.jpg,2,b.jpg\n",
        "no-heading": "https://host.example/a.jpg,A\n",
        "commas": String(repeating: ",", count: 500) + "url\n",
    ]
}
