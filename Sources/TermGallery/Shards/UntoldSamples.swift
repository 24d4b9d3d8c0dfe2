import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport

/// The samples that an earlier run wrote to its last tar file but did not report.
///
/// The run was killed before it could report them. These samples don't have to be made again, and
/// must not be written to the tar files twice.
struct UntoldSamples {
    struct Report {
        let url: String
        /// The line that `fetch --jsonl` prints, without the values that are known only after a
        /// load.
        let line: [UInt8]
    }

    private(set) var reports: [Report] = []

    /// The maximum size of a sample's JSON description in bytes.
    ///
    /// This program never writes a larger description.
    private static let mostBytes = 1 << 20

    /// Reads the samples in a tar file, except those whose keys are in `told`.
    ///
    /// If the file was written by another program, there are no reports.
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
    /// Creates a report from a sample's JSON description, or returns nil if it is invalid.
    ///
    /// The name of the tar file and the status "ok" are added to the description.
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
    /// The header of a member of a tar file that this program wrote.
    struct Header {
        let name: String
        let byteCount: Int

        /// Parses a header, or returns nil for other blocks such as the end of the tar file.
        init?(_ block: [UInt8]) {
            guard block.count == blockByteCount, block[0] != 0,
                let byteCount = Int(Self.text(block[124..<136]), radix: 8), byteCount >= 0
            else { return nil }
            (name, self.byteCount) = (Self.text(block[..<100]), byteCount)
        }

        /// The number of bytes, rounded up to complete blocks.
        var blockedByteCount: Int {
            let (sum, isTooLarge) = byteCount.addingReportingOverflow(blockByteCount - 1)
            return isTooLarge ? .max : sum / blockByteCount * blockByteCount
        }

        private static func text(_ field: ArraySlice<UInt8>) -> String {
            String(decoding: field.prefix { $0 != 0 && $0 != 0x20 }, as: UTF8.self)
        }
    }
}
