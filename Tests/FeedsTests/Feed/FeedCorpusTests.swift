import DecoderContracts
import FeedContracts
@testable import Feeds
import Testing

@Suite struct FeedCorpusTests {
    // F32
    @Test func `each feed of the fuzzers' corpus gives items that can be loaded and shown`() throws
    {
        for file in try DamageCorpus.files(in: "Feeds") {
            do {
                try Contract.feeds.check(file.bytes)
            } catch {
                Issue.record("\(file.name): \(error)")
            }
        }
    }

    @Test(arguments: [Contract.json, .tables, .archives, .pages, .multipart])
    func `each document of the corpus is read as its contract requires`(contract: Contract) throws {
        for file in try DamageCorpus.files(in: contract.name) + DamageCorpus.files(in: "Feeds") {
            do {
                try contract.check(file.bytes)
            } catch {
                Issue.record("\(file.name): \(error)")
            }
        }
    }
}
