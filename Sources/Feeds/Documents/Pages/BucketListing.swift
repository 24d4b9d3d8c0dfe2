extension FeedDocument {
    /// Creates a document from a bucket listing of S3 or a compatible server (ListObjects and
    /// ListObjectsV2); returns nil for other documents.
    ///
    /// `address` is the URL of the listing, or nil if the listing was read from a local file. If
    /// the bucket does not have its own host name, the path of the URL starts with the bucket's
    /// name. The initializer blocks while it reads.
    package init?(
        bucket bytes: [UInt8],
        address: String?,
        isPictureName: (String) -> Bool
    ) {
        var reader = BucketReader()
        var remarks: [String] = []
        _ = try? MarkupReader.withXML(bytes) { markup in
            while let node = markup.next(), reader.isBucket != false { reader.take(node) }
            reader.brokenLine = markup.brokenLine
            remarks = markup.reached.remarks
        }
        guard reader.isBucket == true else { return nil }
        self.init()
        kind = .listing
        self.remarks = remarks
        title = reader.name
        firstErrorLine = reader.brokenLine
        let folder = Self.folder(of: address)
        for file in reader.files where isPictureName(file.key) {
            var entry = Entry()
            entry.pictures = [Picture(url: folder + file.key.percentCoded(keeping: "-._~/"))]
            entry.date = file.date
            entries.append(entry)
        }
        guard reader.isTruncated else { return }
        if let token = reader.token {
            next = .parameter(name: "continuation-token", value: token)
        } else if let last = reader.marker ?? reader.files.last?.key {
            next = .parameter(name: "marker", value: last)
        }
    }

    /// Returns the prefix of the files' URLs, relative to the URL of the listing.
    ///
    /// The prefix is "/" if the bucket has its own host name, and "/bucket/" if several buckets
    /// share the host. If the listing was read from a local file (`address` is nil), the prefix is
    /// "./".
    private static func folder(of address: String?) -> String {
        guard let address else { return "./" }
        let path = address.prefix { $0 != "?" && $0 != "#" }.split(
            separator: "/",
            maxSplits: 3,
            omittingEmptySubsequences: false
        )
        let bucket = path.count > 3 ? path[3].split(separator: "/").first : nil
        return bucket.map { "/\($0)/" } ?? "/"
    }
}

/// Collects the files in a bucket listing.
private struct BucketReader {
    struct File {
        var key = ""
        var date: Int?
    }

    /// The maximum number of files; servers list 1,000 files at a time.
    private static let mostFiles = 100_000
    private static let longestText = 4_096

    /// Whether the document is a bucket listing, or nil before its first element.
    private(set) var isBucket: Bool?
    private(set) var name: String?
    private(set) var files: [File] = []
    private(set) var isTruncated = false
    private(set) var token: String?
    private(set) var marker: String?
    var brokenLine: Int?
    private var path: [String] = []
    private var text = ""
    private var isCoded = false
    private var file: File?

    mutating func take(_ node: MarkupReader.Node) {
        switch node {
        case .start(let name, let isEmpty):
            if isBucket == nil { isBucket = name.local == "ListBucketResult" }
            text = ""
            if path.count == 1, name.local == "Contents" { file = File() }
            if !isEmpty { path.append(name.local) }
        case .text(let more): if text.utf8.count < Self.longestText { text += more }
        case .end:
            end(Array(path.dropFirst()))
            _ = path.popLast()
            text = ""
        }
    }

    private mutating func end(_ path: [String]) {
        switch path {
        case ["Name"]: name = text
        case ["EncodingType"]: isCoded = text == "url"
        case ["IsTruncated"]: isTruncated = text.trimmed == "true"
        case ["NextContinuationToken"]: token = text.nonEmpty
        case ["NextMarker"]: marker = text.nonEmpty.map(decoded)
        case ["Contents", "Key"]: file?.key = text
        case ["Contents", "LastModified"]: file?.date = FeedDate.seconds(text)
        case ["Contents"]:
            if var file, !file.key.isEmpty, files.count < Self.mostFiles {
                // The element that specifies the encoding of keys may follow the keys.
                file.key = decoded(file.key)
                files.append(file)
            }
            file = nil
        default: break
        }
    }

    private func decoded(_ key: String) -> String {
        guard isCoded else { return key }
        var bytes: [UInt8] = []
        var rest = key.utf8[...]
        while let byte = rest.popFirst() {
            let digits = String(Substring(rest.prefix(2)))
            if byte == UInt8(ascii: "%"), digits.utf8.count == 2,
                let value = UInt8(digits, radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
