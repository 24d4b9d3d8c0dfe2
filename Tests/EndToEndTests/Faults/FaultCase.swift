/// A fault of the demo server, and the message that the user gets.
struct FaultCase {
    /// How the server is asked for it.
    let query: String
    /// The behavior of the server.
    let meaning: String
    /// What `fetch` says, in its message.
    let message: String
    /// The symbols that a cell may show: "✗", or the symbol of a partly received image.
    let signs: [Character]

    init(_ query: String, _ meaning: String, _ message: String, signs: [Character] = ["✗"]) {
        (self.query, self.meaning, self.message, self.signs) = (query, meaning, message, signs)
    }

    /// Whether the server keeps its client waiting.
    var isSilence: Bool { message == "timed out" }

    /// Its row of Documentation/Reliability.md.
    var row: String {
        let shown = signs.map { "`\($0)`" }.joined(separator: " or ")
        return "| `\(query)` | \(meaning) | \(message) | \(shown) |"
    }

    /// Every fault that the server has.
    static let all: [FaultCase] = [
        FaultCase(
            "fault=close-before-head",
            "closes the connection before the response",
            "empty response"
        ),
        FaultCase(
            "fault=reset-before-head",
            "resets the connection before the response",
            "connection lost"
        ),
        FaultCase("fault=stall-before-head", "accepts the request and sends nothing", "timed out"),
        FaultCase(
            "fault=close-in-head",
            "closes the connection inside the header",
            "connection lost"
        ),
        FaultCase(
            "fault=reset-in-head",
            "resets the connection inside the header",
            "connection lost"
        ),
        FaultCase("fault=stall-in-head", "stops sending inside the header", "timed out"),
        FaultCase("fault=drip-head", "sends one byte of the header every two seconds", "timed out"),
        FaultCase(
            "fault=endless-head",
            "sends an endless series of header fields",
            "response head too large"
        ),
        FaultCase(
            "fault=long-header",
            "sends a header field of one megabyte",
            "response head too large"
        ),
        FaultCase(
            "fault=endless-interim",
            "sends an endless series of interim responses",
            "response head too large"
        ),
        FaultCase("fault=not-http", "speaks another protocol", "not an HTTP response"),
        FaultCase(
            "fault=drip-body",
            "sends the header, then one byte every two seconds",
            "timed out"
        ),
        FaultCase("fault=endless-body", "sends an endless body", "larger than 64 MiB"),
        FaultCase(
            "fault=two-lengths",
            "announces two contradictory lengths",
            "truncated PNG"
        ),
        FaultCase("fault=negative-length", "announces a negative length", "not an HTTP response"),
        FaultCase("fault=bad-chunk", "sends a chunk whose size is not a number", "connection lost"),
        FaultCase(
            "fault=cut-chunks",
            "closes the connection before the last chunk",
            "connection closed too early",
            signs: ["◐"]
        ),
        FaultCase(
            "fault=endless-chunks",
            "sends an endless series of chunks",
            "larger than 64 MiB"
        ),
        FaultCase(
            "fault=cut-compression",
            "sends half of a compressed body as if it were complete",
            "compressed response cut short"
        ),
        FaultCase(
            "fault=bad-compression",
            "labels an uncompressed body as compressed",
            "response cannot be decompressed"
        ),
        FaultCase(
            "fault=compression-bomb",
            "sends a body of 100 kB that decompresses to 100 MB",
            "larger than 64 MiB"
        ),
        FaultCase(
            "fault=pixel-bomb",
            "sends an image of 60,000 by 60,000 pixels",
            "corrupt PNG"
        ),
        FaultCase(
            "fault=redirect-loop",
            "redirects to the same URL again and again",
            "too many redirects"
        ),
        FaultCase("fault=redirect-nowhere", "redirects without a Location field", "HTTP 302"),
        FaultCase(
            "fault=redirect-to-file",
            "redirects to a local file of the client",
            "scheme not allowed"
        ),
        FaultCase(
            "fault=redirect-to-garbage",
            "redirects to an invalid URL",
            "redirect to an invalid"
        ),
        FaultCase("fault=unasked-part", "sends a part that was not requested", "HTTP 206"),
        FaultCase(
            "truncate=100",
            "closes the connection inside the body",
            "connection closed too early"
        ),
        FaultCase("reset=100", "resets the connection inside the body", "connection lost"),
        FaultCase("stall=100", "stops sending inside the body", "timed out"),
        FaultCase(
            "length=100000",
            "announces more bytes than it sends",
            "connection closed too early",
            signs: ["↓", "◐"]
        ),
        FaultCase("html", "sends an HTML page", "HTML page"),
        FaultCase("corrupt", "sends a damaged image", "corrupt PNG", signs: ["◐"]),
        FaultCase("redirect=9", "redirects nine times", "too many redirects"),
        FaultCase("status=404", "responds with status 404", "404 not found"),
        FaultCase("status=503", "responds with status 503", "503 service unavailable"),
    ]
}
