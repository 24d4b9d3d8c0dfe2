import ImageLoading
import Testing

/// One engine, many transfers.
struct TransportRowsTests {
    // D2, O15, F27
    @Test func `of fifty simultaneous transfers each gets its own body and end`() async {
        let numbers = 0..<50
        var routes: [String: [LoopbackServer.Step]] = [:]
        for number in numbers {
            routes["/\(number)"] = LoopbackServer.Step.answer(
                [UInt8](repeating: UInt8(number), count: 1_000 + number)
            )
        }
        let server = LoopbackServer(routes)
        let transport = CurlTransport(configuration: .patient)

        let bodies = await withTaskGroup(of: (Int, TransferOutcome).self) { group in
            for number in numbers {
                group.addTask { (number, await transport.run(server.url("/\(number)"))) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }

        for number in numbers {
            let expected = [UInt8](repeating: UInt8(number), count: 1_000 + number)
            #expect(bodies[number]?.body == expected)
            #expect(bodies[number]?.error == nil)
        }
    }
}
