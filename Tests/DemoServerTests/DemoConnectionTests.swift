import NIOCore
import NIOEmbedded
import Testing

@testable import DemoServer

struct DemoConnectionTests {
    @Test func `a response waits for its latency`() throws {
        let connection = try EmbeddedConnection()

        #expect(try connection.get("/pictures/1.jpg?latency=300").isEmpty)
        #expect(try connection.advance(.milliseconds(299)).isEmpty)
        #expect(try connection.advance(.milliseconds(1)).text == "0123456789")
    }

    @Test func `the bandwidth sends a twentieth of it every 50 ms`() throws {
        let connection = try EmbeddedConnection()

        #expect(try connection.get("/pictures/1.jpg?bandwidth=60").text == "012")
        #expect(try connection.advance(.milliseconds(49)).isEmpty)
        #expect(try connection.advance(.milliseconds(1)).text == "345")
        #expect(try connection.advance(.milliseconds(100)).text == "6789")
    }

    @Test func `the configured speed applies to images and not to the feed`() throws {
        let configuration = DemoConfiguration(count: 2, latency: .seconds(1), bandwidth: 60)
        let connection = try EmbeddedConnection(configuration: configuration)

        #expect(try connection.get("/feed.txt").status == 200)
        #expect(try connection.get("/pictures/1.jpg").isEmpty)
        #expect(try connection.advance(.seconds(1)).text == "012")
    }

    @Test func `a connection is kept for the next request`() throws {
        let connection = try EmbeddedConnection()

        #expect(try connection.get("/pictures/1.jpg").status == 200)
        #expect(try connection.get("/pictures/2.png").status == 200)
        #expect(connection.counters.requests == 2)
        #expect(connection.channel.isActive)
    }

    @Test func `a connection is closed if the client requests it`() throws {
        let connection = try EmbeddedConnection()

        let answer = try connection.get("/pictures/1.jpg", headers: ["Connection: close"])

        #expect(answer.text == "0123456789")
        #expect(!connection.channel.isActive)
        #expect(connection.counters.completed == 1)
    }

    @Test func `a request that arrives early is answered after the previous one`() throws {
        let connection = try EmbeddedConnection()

        #expect(try connection.get("/pictures/1.jpg?latency=100").isEmpty)
        #expect(try connection.get("/pictures/2.jpg").isEmpty)
        try connection.advance(.milliseconds(100))

        #expect(connection.counters.completed == 2)
        #expect(connection.counters.maximumLive == 1)
    }

    @Test func `truncate sends less than announced and closes`() throws {
        let connection = try EmbeddedConnection()

        let answer = try connection.get("/pictures/1.jpg?truncate=4")

        #expect(answer.headers["content-length"] == "10")
        #expect(answer.text == "0123")
        #expect(!connection.channel.isActive)
    }

    @Test(arguments: [4, 400])
    func `length announces its number and sends the image`(length: Int) throws {
        let connection = try EmbeddedConnection()

        let answer = try connection.get("/pictures/1.jpg?length=\(length)")

        #expect(answer.headers["content-length"] == String(length))
        #expect(answer.text == "0123456789")
        #expect(!connection.channel.isActive)
    }

    @Test func `stall sends its bytes, then nothing more, and stays open`() throws {
        let connection = try EmbeddedConnection()

        #expect(try connection.get("/pictures/1.jpg?stall=4").text == "0123")
        #expect(try connection.advance(.hours(10)).isEmpty)
        #expect(connection.channel.isActive)
        #expect(connection.counters.liveNow == 1)
    }

    @Test(arguments: [404, 500, 503, 429])
    func `status answers with that status and a text`(status: Int) throws {
        let connection = try EmbeddedConnection()

        let answer = try connection.get("/pictures/1.jpg?status=\(status)")

        #expect(answer.status == status)
        #expect(answer.text == "status \(status), as asked\n")
    }

    @Test func `html sends a page under an image's name`() throws {
        let connection = try EmbeddedConnection()

        let answer = try connection.get("/pictures/1.jpg?html=1")

        #expect(answer.status == 200)
        #expect(answer.headers["content-type"] == "text/html; charset=utf-8")
        #expect(answer.text.hasPrefix("<!DOCTYPE html>"))
    }

    @Test func `HEAD announces the image and sends no bytes of it`() throws {
        let connection = try EmbeddedConnection()

        let answer = try connection.get("/pictures/1.jpg", method: "HEAD")

        #expect(answer.headers["content-length"] == "10")
        #expect(answer.body.isEmpty)
        #expect(connection.counters.bytesAnnounced == 0)
    }

    @Test func `another method is refused`() throws {
        let connection = try EmbeddedConnection()

        #expect(try connection.get("/feed.txt", method: "DELETE").status == 405)
    }

    @Test(arguments: [
        "/pictures/0.jpg", "/pictures/1001.jpg", "/pictures/01.jpg", "/pictures/1.gif",
        "/pictures/1", "/pictures/", "/pictures/99999999999999999999.jpg", "/../etc/passwd", "*",
        "//", "/pictures/1.jpg/2",
    ])
    func `an unknown path gets 404`(path: String) throws {
        let connection = try EmbeddedConnection()

        #expect(try connection.get(path).status == 404)
    }
}
