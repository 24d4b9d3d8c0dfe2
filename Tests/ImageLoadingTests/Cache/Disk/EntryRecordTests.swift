import Testing

@testable import ImageLoading

struct EntryRecordTests {
    private let owner = MessageDigest.sha256("http://a.example/x")

    @Test(arguments: [0, 1, 4_096])
    func `a record is read back unchanged, with any metadata`(metadataCount: Int) throws {
        let entry = DiskEntry(bytes: body(1_000), metadata: body(metadataCount))
        let record = EntryRecord(of: entry, owner: owner)

        let decoded = try #require(EntryRecord(decoding: record.encoded()))

        #expect(decoded == record)
        #expect(decoded.metadata == entry.metadata)
        #expect(decoded.describes(entry.bytes))
        #expect(record.encoded().count == 40 + metadataCount)
    }

    @Test func `a record matches only its own bytes`() {
        let record = EntryRecord(of: DiskEntry(bytes: body(1_000)), owner: owner)

        #expect(!record.describes(body(999)))
        #expect(!record.describes(body(1_000, seed: 8)))
        #expect(!record.describes([]))
    }

    @Test func `a damaged record is rejected`() {
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

struct ChecksumTests {
    /// Lengths that together use all steps of the algorithm: 32, 8 and 4 bytes, and single bytes.
    @Test(
        arguments: [
            ("", 0xef46_db37_51d8_e999), ("a", 0xd24e_c4f1_a98c_6e5b),
            ("as", 0x1c33_0fb2_d66b_e179),
            ("abc", 0x44bc_2cf5_ad77_0999), ("asdf", 0x4158_72f5_99ce_a71e),
            (
                "Call me Ishmael. Some years ago--never mind how long precisely-",
                0x02a2_e854_70d6_fd96
            ),
        ] as [(String, UInt64)]
    )
    func `the checksum is XXH64 with seed 0`(text: String, expected: UInt64) {
        #expect(Checksum.of(Array(text.utf8)) == expected)
    }

    @Test func `every flipped bit and every cut changes the checksum`() {
        let bytes = body(77)
        let whole = Checksum.of(bytes)

        for index in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[index] ^= 1 << UInt8(bit)
                #expect(Checksum.of(damaged) != whole, "bit \(bit) of byte \(index)")
            }
            #expect(Checksum.of(Array(bytes.prefix(index))) != whole, "cut to \(index)")
        }
    }
}

struct EntryNameTests {
    @Test(arguments: [
        "image-0000000a-c7529f60e5cf8d1f19442a9a57f22e5a.jpg",
        "image-ffffffff-c7529f60e5cf8d1f19442a9a57f22e5a",
    ])
    func `the name of an image is parsed back unchanged`(name: String) {
        #expect(EntryName(parsing: name)?.description == name)
        #expect(EntryName(parsing: name)?.isImage == true)
    }

    @Test(arguments: [
        "image-", "image-a-c7529f60e5cf8d1f19442a9a57f22e5a", "image-0000000A",
        "image-0000000A-c7529f60e5cf8d1f19442a9a57f22e5a",
        "image-+000000a-c7529f60e5cf8d1f19442a9a57f22e5a",
        "image-0000000a.c7529f60e5cf8d1f19442a9a57f22e5a",
        "image-0000000a-part-c7529f60e5cf8d1f19442a9a57f22e5a",
    ])
    func `a name in another format is not a cache file`(name: String) {
        #expect(EntryName(parsing: name) == nil)
    }
}
