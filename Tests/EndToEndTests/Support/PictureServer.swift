import DemoServer

/// A demo server whose pictures are small and misbehave as their queries say; stopped with `stop`.
struct PictureServer {
    let server: DemoServer

    init(count: Int = 100) throws {
        server = try DemoServer.start(DemoConfiguration(count: count))
    }

    var counters: DemoCounters { server.counters }

    /// The address of a small picture.
    func url(_ number: Int, format: String = "png", query: String = "") -> String {
        let more = query.isEmpty ? "" : "&\(query)"
        return "http://127.0.0.1:\(server.port)/pictures/\(number).\(format)?width=80\(more)"
    }

    /// Lines of a feed, captioned "Picture N".
    func lines(_ numbers: ClosedRange<Int>, query: String = "") -> [String] {
        numbers.map { "\(url($0, query: query)) Picture \($0)" }
    }

    func stop() {
        server.stop()
    }
}
