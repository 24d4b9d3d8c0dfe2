/// A line that `fetch --jsonl` wrote in an earlier run.
package struct ReportedLine: Sendable {
    /// The URL that the line reports.
    package let url: String
    /// Whether the image must not be loaded again, because it was loaded or failed permanently.
    package let isDone: Bool

    /// Parses a line, which must end with a line feed.
    ///
    /// Returns nil for an incomplete object, such as the last object of an aborted run, and for an
    /// object without a result.
    package init?(_ line: UnsafeBufferPointer<UInt8>) {
        let start = JSONText.skippingSpace(line, from: 0)
        // The line feed follows a complete object; an incomplete object would include the line
        // feed.
        guard start < line.count, line[start] == UInt8(ascii: "{"), line.last == 0x0A,
            JSONText.valueEnd(line, from: start) < line.count,
            let url = Self.text(at: Self.url, line), let status = Self.text(at: Self.status, line)
        else { return nil }
        self.url = url
        // The login page of a network may have replaced the image.
        let isPage = Self.text(at: Self.errorMessage, line)?.contains("HTML page") == true
        isDone =
            status == "ok"
            || status == "failed" && Self.text(at: Self.errorClass, line) == "permanent" && !isPage
    }

    /// Returns the key of the thumbnail that was written to the tar file `name`, or nil if the line
    /// does not report a thumbnail in that file.
    package static func key(
        inShard name: String,
        _ line: UnsafeBufferPointer<UInt8>
    ) -> String? {
        guard text(at: shard, line) == name else { return nil }
        return text(at: key, line)
    }

    private static let key = [Array("key".utf8)]
    private static let shard = [Array("shard".utf8)]
    private static let url = [Array("url".utf8)]
    private static let status = [Array("status".utf8)]
    private static let errorClass = [Array("error".utf8), Array("class".utf8)]
    private static let errorMessage = [Array("error".utf8), Array("message".utf8)]

    private static func text(at path: [[UInt8]], _ line: UnsafeBufferPointer<UInt8>) -> String? {
        guard let place = JSONText.value(at: path, line), place.count >= 2,
            line[place.lowerBound] == UInt8(ascii: "\"")
        else { return nil }
        let inside = line[place.lowerBound + 1..<place.upperBound - 1]
        guard inside.contains(UInt8(ascii: "\\")) else {
            return String(decoding: inside, as: UTF8.self)
        }
        let value = UnsafeBufferPointer(rebasing: line[place])
        return try? JSONValue(parsing: value, limits: RecordParser.limits).string
    }
}
