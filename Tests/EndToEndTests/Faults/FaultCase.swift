/// A fault of the demo's server, and what a reader is told of it.
struct FaultCase {
    /// How the server is asked for it.
    let query: String
    /// What the server does.
    let meaning: String
    /// What `fetch` says, in its message.
    let message: String
    /// What a cell may show: "✗", or the sign of the part of a picture that had come before.
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
            "closes the connection before the answer",
            "empty response"
        ),
        FaultCase(
            "fault=reset-before-head",
            "resets the connection before the answer",
            "connection lost"
        ),
        FaultCase("fault=stall-before-head", "takes the request and says nothing", "timed out"),
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
        FaultCase("fault=stall-in-head", "falls silent inside the header", "timed out"),
        FaultCase("fault=drip-head", "sends a byte of the header every two seconds", "timed out"),
        FaultCase(
            "fault=endless-head",
            "sends header fields without an end",
            "response head too large"
        ),
        FaultCase(
            "fault=long-header",
            "sends one header field of a megabyte",
            "response head too large"
        ),
        FaultCase(
            "fault=endless-interim",
            "sends interim answers without an end",
            "response head too large"
        ),
        FaultCase("fault=not-http", "speaks another protocol", "not an HTTP response"),
        FaultCase("fault=drip-body", "sends the head, then a byte every two seconds", "timed out"),
        FaultCase("fault=endless-body", "sends a body without an end", "larger than 64 MiB"),
        FaultCase(
            "fault=two-lengths",
            "announces two lengths that contradict each other",
            "not a picture"
        ),
        FaultCase("fault=negative-length", "announces a negative length", "not an HTTP response"),
        FaultCase("fault=bad-chunk", "sends a chunk whose size is no number", "connection lost"),
        FaultCase(
            "fault=cut-chunks",
            "closes the connection before the last chunk",
            "connection closed too early",
            signs: ["◐"]
        ),
        FaultCase("fault=endless-chunks", "sends chunks without an end", "larger than 64 MiB"),
        FaultCase(
            "fault=cut-compression",
            "sends half of a compressed body as the whole",
            "packed body cut short"
        ),
        FaultCase(
            "fault=bad-compression",
            "says that a body is compressed, and it isn't",
            "body cannot be decompressed"
        ),
        FaultCase(
            "fault=compression-bomb",
            "sends a body of 100 kB that unpacks to 100 MB",
            "larger than 64 MiB"
        ),
        FaultCase(
            "fault=pixel-bomb",
            "sends a picture of 60,000 by 60,000 pixels",
            "too many pixels: 60000×60000"
        ),
        FaultCase(
            "fault=redirect-loop",
            "redirects to the same place again and again",
            "too many redirects"
        ),
        FaultCase("fault=redirect-nowhere", "redirects without a place", "HTTP 302"),
        FaultCase(
            "fault=redirect-to-file",
            "redirects to a file of the reader's",
            "scheme not allowed"
        ),
        FaultCase(
            "fault=redirect-to-garbage",
            "redirects to what is no URL",
            "redirect to an invalid"
        ),
        FaultCase("fault=unasked-part", "sends a part that nobody asked for", "HTTP 206"),
        FaultCase(
            "truncate=100",
            "closes the connection inside the body",
            "connection closed too early"
        ),
        FaultCase("reset=100", "resets the connection inside the body", "connection lost"),
        FaultCase("stall=100", "falls silent inside the body", "timed out"),
        FaultCase(
            "length=100000",
            "announces more bytes than come",
            "connection closed too early",
            signs: ["↓", "◐"]
        ),
        FaultCase("html", "sends an HTML page", "HTML page"),
        FaultCase("corrupt", "sends a damaged picture", "corrupt PNG", signs: ["◐"]),
        FaultCase("redirect=9", "redirects nine times", "too many redirects"),
        FaultCase("status=404", "answers 404", "404 not found"),
        FaultCase("status=503", "answers 503", "503 service unavailable"),
    ]
}
