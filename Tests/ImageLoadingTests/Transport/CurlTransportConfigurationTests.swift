import Foundation
import Glibc
@testable import ImageLoading
import Testing

@Suite struct CurlTransportConfigurationTests {
    // D3
    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `a timeout of zero or less means the default`(timeout: Duration) {
        var configuration = CurlTransportConfiguration()
        configuration.idleTimeout = timeout
        configuration.connectTimeout = timeout

        #expect(configuration.longestSilence == .seconds(15))
        #expect(configuration.connectMilliseconds == 10_000)
    }

    // D3
    @Test func `the defaults are 15 seconds idle and 10 to connect`() {
        let configuration = CurlTransportConfiguration()

        #expect(configuration.longestSilence == .seconds(15))
        #expect(configuration.connectMilliseconds == 10_000)
        #expect(configuration.maximumRedirects == 5)
        #expect(configuration.idleConnectionSeconds == 118)
    }

    @Test func `a timeout below a millisecond, or a second for libcurl, is raised to it`() {
        var configuration = CurlTransportConfiguration()
        configuration.idleTimeout = .milliseconds(1)
        configuration.connectTimeout = .nanoseconds(1)

        configuration.maximumIdleConnectionAge = .zero

        #expect(configuration.longestSilence == .milliseconds(1))
        #expect(configuration.connectMilliseconds == 1)
        #expect(configuration.idleConnectionSeconds == 1)
    }

    @Test func `an absurd timeout is limited to a day`() {
        var configuration = CurlTransportConfiguration()
        configuration.idleTimeout = .seconds(Int64.max)
        configuration.maximumIdleConnectionAge = .seconds(Int64.max)

        #expect(configuration.longestSilence == .seconds(86_400))
        #expect(configuration.idleConnectionSeconds == 86_400)
    }
}

/// Host names that cannot be resolved.
struct CurlLookUpTests {
    /// Runs in a separate process, whose environment makes the system's resolver read a pipe
    /// instead of its file of aliases.
    ///
    /// The resolver waits as long as the pipe is empty.
    @Test
    func `cancelling a look-up that is never answered delays no other transfer`()
        async throws
    {
        try #require(
            asksNameServers,
            "needs a machine whose /etc/nsswitch.conf has dns, and not resolve, among the hosts"
        )
        await #expect(processExitsWith: .success) {
            // A transport that waits for the look-up would never end.
            alarm(30)
            let folder = TestFolder()
            let pipe = folder.path + "/aliases"
            mkfifo(pipe, 0o600)
            setenv("HOSTALIASES", pipe, 1)
            var configuration = CurlTransportConfiguration.patient
            configuration.connectTimeout = .seconds(3_600)
            configuration.proxy = ""
            let transport = CurlTransport(configuration: configuration)
            let server = LoopbackServer(["/": LoopbackServer.Step.answer([1, 2, 3])])
            let request = TransferRequest(id: .unique(), url: "http://unanswered/")
            transport.start(request) { _ in }
            let writer = await opened(pipe)

            transport.cancel(request.id)
            let other = await transport.run(server.url("/"))

            #expect(writer >= 0)
            #expect(other.body == [1, 2, 3])
        }
    }
}

/// Returns the writing end of a pipe after another process has opened it for reading.
private func opened(_ pipe: String) async -> Int32 {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: open(pipe, O_WRONLY | O_CLOEXEC)) }
    }
}

/// Whether the C library queries name servers itself and therefore reads its file of aliases; on
/// some systems, a service queries them.
private let asksNameServers: Bool = {
    let text = try? String(contentsOfFile: "/etc/nsswitch.conf", encoding: .utf8)
    let line = text?.split(whereSeparator: \.isNewline).first { $0.hasPrefix("hosts:") }
    let words = line?.split(whereSeparator: \.isWhitespace) ?? ["files", "dns"]
    return words.contains("dns") && !words.contains("resolve")
}()
