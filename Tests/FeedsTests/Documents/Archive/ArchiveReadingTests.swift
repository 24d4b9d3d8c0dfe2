import Foundation
import Testing

@testable import Feeds

/// Archives as Python, GNU tar and Info-ZIP write them; see `Fixtures/archives/make-archives.py`.
@Suite struct ArchiveReadingTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/archives")

    private static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: name)))
    }

    /// The results of Python by archive: name, kind, size, position, compressed size.
    private static func listing() throws -> [String: [[String]]] {
        let text = String(decoding: try bytes("listing.tsv"), as: UTF8.self)
        return text.split(separator: "\n").reduce(into: [:]) { result, line in
            let fields = line.split(separator: "\t").map(String.init)
            result[fields[0], default: []].append(Array(fields[1...]))
        }
    }

    @Test func `members are those that Python reads, at the same offsets`() throws {
        let listing = try Self.listing()
        #expect(listing.count == 16)
        for (name, expected) in listing {
            let walk = ArchiveBytes(try Self.bytes(name)).walk()
            #expect(walk.last == .end(isCut: false), "\(name)")
            let found = walk.compactMap { step -> [String]? in
                if case .member(let member) = step { Self.fields(member) } else { nil }
            }
            #expect(found == expected, "\(name)")
        }
    }

    private static func fields(_ member: ArchiveMember) -> [String] {
        let kind =
            switch member.kind {
            case .file: "file"
            case .folder: "folder"
            case .link, .hardLink: "link"
            case .other: "other"
            case .unreadable("a sparse file"): "sparse"
            case .unreadable("encrypted"): "encrypted"
            case .unreadable: "unknown"
            }
        let isSparse = kind == "sparse"
        var name = member.name
        // Python takes the slash from folders of tar.
        if case .plain = member.place, kind == "folder", name.last == 0x2F { name.removeLast() }
        let hexadecimal = name.map { String(format: "%02x", $0) }.joined()
        let size = isSparse ? 0 : member.byteCount
        switch member.place {
        case .plain(let offset):
            return [hexadecimal, kind, "\(size)", isSparse ? "0" : "\(offset)", "-"]
        case .zip(let header, let packed, _):
            return [hexadecimal, kind, "\(size)", "\(header)", packed.map { "\($0)" } ?? "-"]
        }
    }

    @Test(arguments: ["ustar.tar", "gnu.tar", "pax.tar"])
    func `a hard link names the file that it was made from`(name: String) throws {
        let kinds = ArchiveBytes(try Self.bytes(name)).walk().compactMap { step in
            if case .member(let member) = step { member.kind } else { nil }
        }

        #expect(kinds.contains(.hardLink(to: Array("a.jpg".utf8))))
    }

    @Test func `the members are the same for any size of the pieces`() throws {
        for name in ["by-tar-posix.tar", "by-tar-gnu.tar", "by-zip.zip", "zip64.zip"] {
            let archive = ArchiveBytes(try Self.bytes(name))

            #expect(archive.walk(pieceByteCount: 1) == archive.walk(), "\(name)")
        }
    }

    @Test func `a comment that contains an end record is not mistaken for one`() throws {
        let archive = try Self.bytes("by-zip.zip")
        let whole = ArchiveBytes(archive).walk()
        let record = [0x50, 0x4B, 5, 6] + [UInt8](repeating: 0, count: 18)
        let comment = record + Array("xxx".utf8)
        var commented = archive
        commented[commented.count - 2] = UInt8(comment.count)
        commented += comment

        #expect(ArchiveBytes(commented).walk() == whole)
    }

    @Test func `a truncated archive has the members before the cut`() throws {
        for name in ["by-tar-posix.tar", "by-tar-gnu.tar"] {
            let bytes = try Self.bytes(name)
            let whole = ArchiveBytes(bytes).walk()
            for count in stride(from: 512, to: bytes.count, by: 100) {
                let walk = ArchiveBytes(Array(bytes.prefix(count))).walk()

                #expect(
                    walk.dropLast().elementsEqual(whole.prefix(walk.count - 1)),
                    "\(name) \(count)"
                )
            }
        }
    }

    @Test func `a zip without its end record, or with a wrong one, is rejected`() throws {
        var bytes = try Self.bytes("python.zip")
        #expect(ZipEnd(inLast: Array(bytes.dropLast(40)), ofFileOf: bytes.count) == nil)
        // The directory is said to be longer than the file.
        let end = bytes.count - 22 - "a comment".utf8.count
        bytes[end + 14] = 0xFF
        #expect(ZipEnd(inLast: bytes, ofFileOf: bytes.count) == nil)
    }

    @Test func `a header with a wrong checksum ends a tar`() throws {
        var bytes = try Self.bytes("ustar.tar")
        #expect(TarReader.isTar(bytes))
        bytes[1024] ^= 1
        let walk = ArchiveBytes(bytes).walk()

        guard case .damaged(let text)? = walk.last else { return #expect(Bool(false)) }
        #expect(walk.count == 2 && text.contains("byte 1024"))
    }

    @Test func `impossible sizes are damage and do not overflow`() throws {
        var header = Array(try Self.bytes("ustar.tar").prefix(512))
        for size in [
            [0x80] + [UInt8](repeating: 0xFF, count: 11), [0xFF] + [UInt8](repeating: 0, count: 11),
        ] {
            header.replaceSubrange(124..<136, with: size)
            Self.mend(&header)
            guard case .damaged? = ArchiveBytes(header).walk().last else {
                return #expect(Bool(false))
            }
        }
        header.replaceSubrange(
            124..<136,
            with: [0x80, 0, 0, 0, 0x0F] + [UInt8](repeating: 0xFF, count: 7)
        )
        Self.mend(&header)
        guard case .member(let member)? = ArchiveBytes(header).walk().first else {
            return #expect(Bool(false))
        }
        #expect(member.byteCount == 1 << 60 - 1)
    }

    /// Updates the checksum of a header.
    private static func mend(_ header: inout [UInt8]) {
        header.replaceSubrange(148..<156, with: [UInt8](repeating: 0x20, count: 8))
        let sum = header.prefix(512).reduce(0) { $0 + Int($1) }
        let digits = String(sum, radix: 8)
        let field = String(repeating: "0", count: 6 - digits.count) + digits + "\0 "
        header.replaceSubrange(148..<156, with: Array(field.utf8))
    }
}

/// An archive in memory, which is walked as a file is.
struct ArchiveBytes {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// All steps but those that only move, with the bytes from each position on, or as few as are asked
    /// for.
    func walk(pieceByteCount: Int = .max) -> [ArchiveStep] {
        if let end = ZipEnd(
            inLast: Array(bytes.suffix(ZipEnd.searchByteCount)),
            ofFileOf: bytes.count
        ) {
            var directory = ZipDirectory(end)
            return walk(pieceByteCount) {
                directory.step($0, isEnd: $1)
            } position: {
                directory.position
            }
        }
        var tar = TarReader()
        return walk(pieceByteCount) {
            tar.step($0, isEnd: $1)
        } position: {
            tar.position
        }
    }

    private func walk(
        _ pieceByteCount: Int,
        step: (UnsafeBufferPointer<UInt8>, Bool) -> ArchiveStep,
        position: () -> Int
    ) -> [ArchiveStep] {
        var steps: [ArchiveStep] = []
        var count = pieceByteCount
        while true {
            let start = min(position(), bytes.count)
            let end = min(bytes.count - start, count) + start
            let next = bytes[start..<end].withUnsafeBufferPointer { step($0, end == bytes.count) }
            count = pieceByteCount
            switch next {
            case .needs(let needed): count = needed
            case .moved: break
            case .member: steps.append(next)
            case .end, .damaged: return steps + [next]
            }
        }
    }
}
