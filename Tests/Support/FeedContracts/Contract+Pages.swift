public import DecoderContracts
internal import Feeds

extension Contract {
    /// Any bytes are a page, whose entries have one image each.
    ///
    /// The image has an address, which may be a data URL with content, and versions with a width,
    /// which are not data URLs. The bytes are also parsed as rules for programs, as a bucket listing
    /// and as a header field.
    public static let pages = Contract("Pages") { (bytes) throws(BrokenContract) in
        let isName: (String) -> Bool = { $0.contains(".") }
        let page: FeedDocument
        do throws(FeedDocumentFault) {
            page = try FeedDocument(html: bytes, isPictureName: isName)
        } catch {
            throw BrokenContract("no page: \(error.text)")
        }
        try require(page.entries.count <= bytes.count, "\(page.entries.count) entries")
        for entry in page.entries {
            try require(entry.pictures.count == 1, "\(entry.pictures.count) pictures in an entry")
            for picture in entry.pictures { try check(picture) }
        }
        _ = FeedDocument(bucket: bytes, address: "http://h/b?c#d", isPictureName: isName)
        let rules = RobotsRules(bytes, program: "termgallery")
        try require(rules.allows("/robots.txt"), "rules that can't be read")
        _ = rules.allows(String(decoding: bytes.prefix(100), as: UTF8.self))
        try require(rules.delay.map { $0 >= 0 } ?? true, "a pause of \(rules.delay ?? 0)")
        let field = String(decoding: bytes, as: UTF8.self)
        _ = LinkHeader.address(relation: "next", in: field)
    }

    private static func check(_ picture: FeedDocument.Picture) throws(BrokenContract) {
        try require(!picture.url.isEmpty, "a picture without address")
        try require(!picture.url.isData || picture.url.contains(","), "a picture without content")
        for version in picture.versions {
            try require(!version.url.isEmpty, "a version without address")
            try require(!version.url.isData, "a version with a data URL")
            try require(version.width.map { $0 > 0 } ?? true, "a width of \(version.width ?? 0)")
        }
    }
}
