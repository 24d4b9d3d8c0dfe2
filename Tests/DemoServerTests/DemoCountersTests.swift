import NIOCore
import NIOEmbedded
import Testing

@testable import DemoServer

struct DemoCountersTests {
    @Test func `a client that leaves in the middle is counted as aborted, with the saved bytes`()
        throws
    {
        let connection = try EmbeddedConnection()
        try connection.get("/pictures/1.jpg?bandwidth=60")

        connection.clientLeaves()

        #expect(connection.counters.aborted == 1)
        #expect(connection.counters.completed == 0)
        #expect(connection.counters.liveNow == 0)
        #expect(connection.counters.bytesAnnounced == 10)
        #expect(connection.counters.bytesSent == 3)
    }

    @Test func `a client that leaves before the response costs no bytes`() throws {
        let connection = try EmbeddedConnection()
        try connection.get("/pictures/1.jpg?latency=100")

        connection.clientLeaves()
        try connection.advance(.seconds(1))

        #expect(connection.counters.aborted == 1)
        #expect(connection.counters.bytesAnnounced == 0)
        #expect(connection.received.isEmpty)
    }

    @Test func `a client that leaves when its last bytes are already sent has aborted nothing`()
        throws
    {
        let connection = try EmbeddedConnection()
        try connection.get("/pictures/1.jpg?bandwidth=60")
        try connection.advance(.milliseconds(150))
        #expect(connection.counters.bytesSent == 10)

        connection.clientLeaves()

        #expect(connection.counters.aborted == 0)
        #expect(connection.counters.completed == 1)
        #expect(connection.counters.liveNow == 0)
    }

    @Test func `a client that leaves after its response has aborted nothing`() throws {
        let connection = try EmbeddedConnection()
        try connection.get("/pictures/1.jpg")

        connection.clientLeaves()

        #expect(connection.counters.completed == 1)
        #expect(connection.counters.aborted == 0)
    }

    @Test func `requesting the counters is not counted and shows them`() throws {
        let connection = try EmbeddedConnection()
        try connection.get("/pictures/1.jpg")

        let answer = try connection.get("/counters.json")

        #expect(connection.counters.requests == 1)
        #expect(
            answer.text == """
                {"requests":1,"completed":1,"aborted":0,"bytesSent":10,"bytesAnnounced":10,\
                "liveNow":0,"maximumLive":1,"connections":1}

                """
        )
    }

    /// Any order of requests, faults, waiting and leaving keeps the books balanced.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `each request is completed, aborted or live at every moment`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let queries = [
            "", "?latency=70", "?bandwidth=60", "?truncate=2", "?reset=3", "?stall=1",
            "?status=404", "?html", "?redirect=1", "?length=3", "?latency=20&bandwidth=40",
        ]
        var connection = try EmbeddedConnection()
        for _ in 0..<60 {
            switch random.index(below: 5) {
            case 0, 1: try connection.get("/pictures/1.jpg" + random.choice(of: queries))
            case 2, 3: try connection.advance(.milliseconds(Int64(random.index(below: 90))))
            default: connection.clientLeaves()
            }
            let counters = connection.counters
            #expect(
                counters.requests == counters.completed + counters.aborted + counters.liveNow,
                "seed \(seed)"
            )
            #expect((0...1).contains(counters.liveNow), "seed \(seed)")
            if !connection.channel.isActive { connection = try EmbeddedConnection() }
        }
    }
}
