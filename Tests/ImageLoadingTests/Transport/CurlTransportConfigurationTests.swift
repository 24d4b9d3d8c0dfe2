import Testing

@testable import ImageLoading

@Suite struct CurlTransportConfigurationTests {
    // D3
    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `a timeout of zero or less means the default`(timeout: Duration) {
        var configuration = CurlTransportConfiguration()
        configuration.idleTimeout = timeout
        configuration.connectTimeout = timeout

        #expect(configuration.idleSeconds == 15)
        #expect(configuration.connectMilliseconds == 10_000)
    }

    // D3
    @Test func `the defaults are 15 seconds idle and 10 to connect`() {
        let configuration = CurlTransportConfiguration()

        #expect(configuration.idleSeconds == 15)
        #expect(configuration.connectMilliseconds == 10_000)
        #expect(configuration.maximumRedirects == 5)
        #expect(configuration.idleConnectionSeconds == 118)
    }

    @Test func `a timeout shorter than libcurl can count is the shortest it can`() {
        var configuration = CurlTransportConfiguration()
        configuration.idleTimeout = .milliseconds(1)
        configuration.connectTimeout = .nanoseconds(1)

        configuration.maximumIdleConnectionAge = .zero

        #expect(configuration.idleSeconds == 1)
        #expect(configuration.connectMilliseconds == 1)
        #expect(configuration.idleConnectionSeconds == 1)
    }

    @Test func `an absurd timeout is a day`() {
        var configuration = CurlTransportConfiguration()
        configuration.idleTimeout = .seconds(Int64.max)
        configuration.maximumIdleConnectionAge = .seconds(Int64.max)

        #expect(configuration.idleSeconds == 86_400)
        #expect(configuration.idleConnectionSeconds == 86_400)
    }
}
