import Testing

@testable import DemoServer

struct FaultsTests {
    private func faults(_ query: Substring) -> Faults {
        var faults = Faults()
        faults.apply(query: query)
        return faults
    }

    @Test func `a query sets every fault by name`() {
        let faults = faults(
            "latency=20&bandwidth=5&status=503&truncate=1&reset=2&stall=3&length=4&redirect=6"
                + "&html&corrupt=1&width=90&etag=x"
        )

        #expect(faults.latency == .milliseconds(20))
        #expect(faults.bandwidth == 5)
        #expect(faults.status == 503)
        #expect([faults.truncate, faults.reset, faults.stall, faults.length] == [1, 2, 3, 4])
        #expect(faults.redirects == 6)
        #expect(faults.width == 90)
        #expect(faults.isHTML && faults.isCorrupt)
        #expect(faults.entityTag == "x")
    }

    @Test(arguments: [
        "", "&&", "nothing=1", "=", "latency=soon", "bandwidth=9999999999999999999999",
    ])
    func `a query without faults changes nothing`(query: String) {
        #expect(faults(query[...]) == Faults())
    }

    @Test func `numbers out of range are clamped, not refused`() {
        #expect(faults("status=1").status == 200)
        #expect(faults("truncate=-5").truncate == 0)
        #expect(faults("bandwidth=0").bandwidth == 1)
        #expect(faults("latency=9223372036854775807").latency == .seconds(3600))
    }

    @Test func `about the requested share of images fails, and the same images each time`() {
        let configuration = DemoConfiguration(failureRate: 0.2, seed: 7)
        let calm = Faults(latency: .zero)

        let failing = (1...2000).filter { Faults(number: $0, configuration: configuration) != calm }
        let again = (1...2000).filter { Faults(number: $0, configuration: configuration) != calm }

        #expect((300...500).contains(failing.count))
        #expect(failing == again)
    }

    @Test(arguments: [(0.0, 0), (1.0, 500)])
    func `a failure rate of 0 or 1 is exact`(rate: Double, expected: Int) {
        let configuration = DemoConfiguration(failureRate: rate)

        let failing = (1...500).filter {
            Faults(number: $0, configuration: configuration) != Faults()
        }

        #expect(failing.count == expected)
    }

    @Test func `all five kinds of failure occur`() {
        let configuration = DemoConfiguration(failureRate: 1)
        let all = (1...200).map { Faults(number: $0, configuration: configuration) }

        #expect(all.contains { $0.status == 404 })
        #expect(all.contains { $0.status == 500 })
        #expect(all.contains { $0.reset != nil })
        #expect(all.contains { $0.truncate != nil })
        #expect(all.contains { $0.isHTML })
    }
}
