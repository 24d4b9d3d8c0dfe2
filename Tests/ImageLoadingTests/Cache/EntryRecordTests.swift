import Testing

@testable import ImageLoading

struct EntryRecordTests {
    private let owner = MessageDigest.sha256("http://a.example/x")

    @Test(arguments: [0, 1, 4_096])
    func `a record reads back as itself, whatever the metadata`(metadataCount: Int) throws {
        let entry = DiskEntry(bytes: body(1_000), metadata: body(metadataCount))
        let record = EntryRecord(of: entry, owner: owner)

        let decoded = try #require(EntryRecord(decoding: record.encoded()))

        #expect(decoded == record)
        #expect(decoded.metadata == entry.metadata)
        #expect(decoded.describes(entry.bytes))
        #expect(record.encoded().count == 40 + metadataCount)
    }

    @Test func `a record describes no other bytes`() {
        let record = EntryRecord(of: DiskEntry(bytes: body(1_000)), owner: owner)

        #expect(!record.describes(body(999)))
        #expect(!record.describes(body(1_000, seed: 8)))
        #expect(!record.describes([]))
    }

    @Test func `a damaged record is none`() {
        let encoded = EntryRecord(
            of: DiskEntry(bytes: body(10), metadata: body(30)),
            owner: owner
        ).encoded()

        for index in encoded.indices {
            var damaged = encoded
            damaged[index] ^= 1
            #expect(EntryRecord(decoding: damaged) == nil, "byte \(index)")
            #expect(EntryRecord(decoding: Array(encoded.prefix(index))) == nil, "cut to \(index)")
        }
        #expect(EntryRecord(decoding: encoded + [0]) == nil)
        #expect(EntryRecord(decoding: body(100_000)) == nil)
    }
}
