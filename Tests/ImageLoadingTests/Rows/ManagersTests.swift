import ImageLoading
import ImageLoadingTesting
import Testing

struct ManagersTests {
    // M1, D19
    @Test func `each manager works with the transport and the clock it was given`() async {
        let (one, other) = (ManagerHarness(), ManagerHarness())
        for harness in [one, other] {
            harness.transport.answerStarts { _ in .body([1], status: 404) }
        }
        let url = "http://a.example/1.png"
        _ = await one.load(url).result()

        _ = await other.load(url).result()
        one.clock.advance(by: .seconds(3_600))
        _ = await one.load(url).result()
        let blocked = await other.load(url).result()

        #expect(one.transport.starts.count == 2)
        #expect(other.transport.starts.count == 1)
        #expect(blocked.failure?.stage == .request)
    }
}
