import Testing

@testable import DemoServer

struct DeliveryTests {
    /// All steps up to the first that sends nothing.
    private func steps(_ delivery: Delivery) -> [Delivery.Step] {
        var delivery = delivery
        var steps: [Delivery.Step] = []
        while true {
            let step = delivery.next()
            steps.append(step)
            guard case .send = step else { return steps }
        }
    }

    private func plan(
        _ byteCount: Int,
        _ ending: Reply.Ending = .keepOpen,
        bandwidth: Int? = nil
    ) -> [Delivery.Step] {
        steps(Delivery(byteCount: byteCount, ending: ending, bandwidth: bandwidth))
    }

    @Test func `without a limit the body is sent in chunks of 64 KiB without a pause`() {
        #expect(
            plan(70_000) == [
                .send(0..<65_536, pause: .zero), .send(65_536..<70_000, pause: .zero), .finish,
            ]
        )
    }

    @Test func `a body of two seconds is sent in two seconds, in steps of a twentieth`() {
        let steps = plan(2000, bandwidth: 1000)

        let pauses = steps.compactMap { step in
            if case .send(_, let pause) = step { pause } else { nil }
        }

        #expect(steps.count == 41)
        #expect(pauses.allSatisfy { $0 == .milliseconds(50) })
        #expect(pauses.reduce(.zero, +) == .seconds(2))
    }

    @Test func `the slowest bandwidth still sends a byte at a time`() {
        #expect(
            plan(2, bandwidth: 1) == [
                .send(0..<1, pause: .seconds(1)), .send(1..<2, pause: .seconds(1)), .finish,
            ]
        )
    }

    @Test(arguments: [
        (Reply.Ending.close(after: 4), Delivery.Step.close), (.reset(after: 4), .reset),
        (.stall(after: 4), .stall),
    ])
    func `a truncated body ends after its bytes and stays ended`(
        ending: Reply.Ending,
        last: Delivery.Step
    ) {
        var delivery = Delivery(byteCount: 10, ending: ending, bandwidth: nil)

        #expect(delivery.next() == .send(0..<4, pause: .zero))
        #expect(delivery.next() == last)
        #expect(delivery.next() == last)
    }

    @Test func `a cut beyond the end sends the whole body, and a cut at 0 sends nothing`() {
        #expect(plan(3, .close(after: 9)) == [.send(0..<3, pause: .zero), .close])
        #expect(plan(3, .reset(after: 0)) == [.reset])
        #expect(plan(0) == [.finish])
    }
}
