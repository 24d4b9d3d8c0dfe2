import GalleryCore
import Glibc
import ImageLoading

/// What the last tar of an earlier run holds without having been told of, because that run was killed in
/// between: it need not be made again, and must not be made twice.
struct UntoldSamples {
    struct Report {
        let url: String
        /// As `fetch --jsonl` tells of it, without what only the load itself knew.
        let line: [UInt8]
    }

    private(set) var reports: [Report] = []

    /// More are no facts that we have written.
    private static let mostBytes = 1 << 20

    /// Reads the facts in a tar of ours but those of the keys that were told of; what is no such tar has
    /// none.
    init(in shard: ShardWriter.Shard, told: Set<String>) {
        let file = open(FileText.path(shard.path), O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        var place = 0
        while let member = TarMember.Header(
            Self.bytes(TarMember.blockByteCount, of: file, at: place)
        ) {
            place += TarMember.blockByteCount
            let suffix = ".json"
            if member.name.hasSuffix(suffix), member.byteCount <= Self.mostBytes,
                !told.contains(String(member.name.dropLast(suffix.count)))
            {
                let facts = Self.bytes(member.byteCount, of: file, at: place)
                reports += Report(facts, in: shard.name).map { [$0] } ?? []
            }
            let (next, isTooFar) = place.addingReportingOverflow(member.blockedByteCount)
            guard !isTooFar else { return }
            place = next
        }
    }

    private static func bytes(_ count: Int, of file: Int32, at place: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, readCount in
            readCount = max(0, pread(file, buffer.baseAddress, count, place))
        }
    }
}

extension UntoldSamples.Report {
    /// The facts are an object; a report says the tar and that all is well besides.
    fileprivate init?(_ facts: [UInt8], in shard: String) {
        let start = Array("{\"shard\":\"\(shard)\",\"status\":\"ok\",".utf8)
        guard facts.first == UInt8(ascii: "{"), facts.count > 2 else { return nil }
        line = start + facts.dropFirst()
        let told = (line + [UInt8(ascii: "\n")]).withUnsafeBufferPointer { ReportedLine($0) }
        guard let told, told.isDone else { return nil }
        url = told.url
    }
}

extension TarMember {
    /// What a header of a file in a tar of ours says.
    struct Header {
        let name: String
        let byteCount: Int

        /// Nil of what is none, such as the end of the tar.
        init?(_ block: [UInt8]) {
            guard block.count == blockByteCount, block[0] != 0,
                let byteCount = Int(Self.text(block[124..<136]), radix: 8), byteCount >= 0
            else { return nil }
            (name, self.byteCount) = (Self.text(block[..<100]), byteCount)
        }

        /// With what fills the last block up.
        var blockedByteCount: Int {
            let (sum, isTooLarge) = byteCount.addingReportingOverflow(blockByteCount - 1)
            return isTooLarge ? .max : sum / blockByteCount * blockByteCount
        }

        private static func text(_ field: ArraySlice<UInt8>) -> String {
            String(decoding: field.prefix { $0 != 0 && $0 != 0x20 }, as: UTF8.self)
        }
    }
}
