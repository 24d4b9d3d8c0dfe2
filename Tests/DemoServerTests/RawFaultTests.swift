import Decoders
import NIOCore
import NIOEmbedded
import Testing

@testable import DemoServer

/// Answers that no HTTP library writes.
struct RawFaultTests {
    private func reply(_ fault: RawFault) -> Reply {
        fault.reply(
            body: Array("0123456789".utf8),
            contentType: "image/png",
            path: "/pictures/1.png"
        )
    }

    @Test(arguments: RawFault.allCases)
    func `each fault is selected by its name and changes the response from its first byte`(
        fault: RawFault
    ) {
        var faults = Faults()
        faults.apply(query: "fault=\(fault.rawValue)")

        #expect(faults.raw == fault)
        #expect(reply(fault).isRaw)
        #expect(DemoFeed.page(DemoConfiguration()).contains("<code>\(fault.rawValue)</code>"))
    }

    @Test func `an unknown name is not a fault`() {
        var faults = Faults()
        faults.apply(query: "fault=earthquake")

        #expect(faults == Faults())
    }

    @Test(arguments: [
        (RawFault.closeBeforeHead, ""), (.closeInHead, "HTTP/1.1 200 OK\r\nContent-Type: im"),
        (.notHTTP, "220 ready when you are\r\n"),
    ])
    func `the connection ends after the last byte`(fault: RawFault, expected: String) throws {
        let connection = try EmbeddedConnection()

        try connection.get("/pictures/1.png?fault=\(fault.rawValue)")

        #expect(connection.received == Array(expected.utf8))
        #expect(!connection.channel.isActive)
        #expect(connection.counters.liveNow == 0)
    }

    @Test func `a drip sends a byte every two seconds`() throws {
        let connection = try EmbeddedConnection()

        try connection.get("/pictures/1.png?fault=drip-head")
        #expect(connection.received.count == 1)
        try connection.advance(.milliseconds(1999))
        #expect(connection.received.count == 1)
        try connection.advance(.milliseconds(1))
        #expect(connection.received.count == 2)
    }

    @Test func `a body that drips has its head immediately`() throws {
        let connection = try EmbeddedConnection()

        try connection.get("/pictures/1.png?fault=drip-body")

        let reply = reply(.dripBody)
        let start = try #require(reply.dripStart)
        #expect(reply.body[..<start].suffix(4) == Array("\r\n\r\n".utf8))
        #expect(connection.received.count == start + 1)
        try connection.advance(.seconds(2))
        #expect(connection.received.count == start + 2)
    }

    @Test func `an endless response repeats its body`() {
        var delivery = Delivery(byteCount: 10, ending: .endless(from: 4), bandwidth: nil)
        let steps = (0..<4).map { _ in delivery.next() }

        #expect(steps == [0..<10, 4..<10, 4..<10, 4..<10].map { .send($0, pause: .zero) })
    }

    // A decoder has to believe it, or it would not be a bomb.
    @Test func `the bomb's header announces 60,000 by 60,000 pixels`() throws {
        let bytes = reply(.pixelBomb).body
        let start = try #require(bytes.firstIndex(of: 0x89))

        let file = Array(bytes[start...])
        #expect(Array(file[16..<24]) == [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60])
        #expect(throws: ImageDecodingError.self) {
            try DecoderRegistry.standard.decode(file, options: DecodingOptions())
        }
    }

    @Test func `the compression bomb is a thousandth of its unpacked size`() {
        #expect((90_000..<130_000).contains(reply(.compressionBomb).body.count))
    }
}
