extension LoopbackServer.Step {
    static let missing = answer([], status: "404 Not Found")

    static func text(_ text: String) -> Self { .send(Array(text.utf8)) }

    /// Returns a complete response with a correct Content-Length.
    static func answer(
        _ body: [UInt8],
        status: String = "200 OK",
        fields: String = ""
    ) -> [Self] {
        let head = "HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(body.count)\r\n\r\n"
        return [.send(Array(head.utf8) + body)]
    }

    static func redirect(to location: String) -> [Self] {
        answer(Array("moved".utf8), status: "302 Found", fields: "Location: \(location)\r\n")
    }

    /// Returns a header that announces `count` bytes, followed by fewer.
    static func beginning(_ body: [UInt8], of count: Int) -> [Self] {
        [.text("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n"), .send(body)]
    }
}
