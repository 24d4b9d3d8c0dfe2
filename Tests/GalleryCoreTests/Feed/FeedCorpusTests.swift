import DecoderContracts
import FeedContracts
import Testing

@Suite struct FeedCorpusTests {
    // F32
    @Test func `each feed of the fuzzers' corpus gives items fit to load and to show`() throws {
        for file in try DamageCorpus.files(in: "Feeds") {
            do {
                try Contract.feeds.check(file.bytes)
            } catch {
                Issue.record("\(file.name): \(error)")
            }
        }
    }
}
