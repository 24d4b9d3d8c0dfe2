import Foundation
import Testing

@testable import Feeds

@Suite struct TableTests {
    private static func rows(_ bytes: [UInt8], _ dialect: TableDialect) -> [[[UInt8]]] {
        bytes.withUnsafeBufferPointer { buffer in
            let records = dialect.records(buffer, from: 0, isEnd: true)
            let ends = records.starts.dropFirst().map { Int($0) } + [records.end]
            return zip(records.starts, ends).map { start, end in
                var record = buffer[Int(start)..<end]
                while record.last == 0x0A || record.last == 0x0D { record.removeLast() }
                let rebased = UnsafeBufferPointer(rebasing: record)
                return dialect.fields(rebased).map { TableDialect.content(rebased[$0]) }
            }
        }
    }

    private static func rows(_ text: String) -> [[String]] {
        rows(Array(text.utf8), TableDialect(delimiter: UInt8(ascii: ",")))
            .map { $0.map { String(decoding: $0, as: UTF8.self) } }
    }

    /// Made by `Fixtures/tables.py`.
    @Test func `every text has the fields that Python's csv module finds`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Fixtures/tables.txt")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 390)
        for line in lines {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            let bytes = Hexadecimal.bytes(columns[0])
            let expected = columns[1].split(separator: ";").map { row in
                row.split(separator: " ").map { $0 == "." ? [] : Hexadecimal.bytes($0) }
            }
            let found = Self.rows(Array(bytes.dropFirst()), TableDialect(delimiter: bytes[0]))
            #expect(found == expected, "\(String(decoding: bytes, as: UTF8.self))")
        }
    }

    @Test func `a quotation mark that is never closed loses only its own line`() {
        #expect(Self.rows("a,b\n\"c,d\ne,f\n") == [["a", "b"], ["c,d"], ["e", "f"]])
        let record = Array("\"c,d".utf8)
        record.withUnsafeBufferPointer { #expect(TableDialect.isOpen($0[...])) }
        let long = "x\n" + String(repeating: "y,z\n", count: 300_000)
        let rows = Self.rows("a,\"" + long + "\"b\",c\n")
        #expect(rows.count == 300_002)
        #expect(rows[1] == ["y", "z"])
        #expect(rows.last == [["b", "c"]].last)
    }

    @Test func `only whole records of a table that is still being written are read`() {
        let dialect = TableDialect(delimiter: UInt8(ascii: ","))
        func taken(_ text: String) -> (Int, Int) {
            Array(text.utf8).withUnsafeBufferPointer {
                let records = dialect.records($0, from: 0, isEnd: false)
                return (records.starts.count, records.end)
            }
        }
        #expect(taken("a,b\nc") == (1, 4))
        #expect(taken("a,b\n\"c\nd") == (1, 4))
        #expect(taken("a,b\n\"c\nd\"\n") == (2, 10))
    }

    @Test func `the delimiter is the most frequent one of the heading outside quotation marks`() {
        func delimiter(_ text: String) -> UInt8? {
            TableDialect.sniffed(fromHeading: text.utf8)?.delimiter
        }
        #expect(delimiter("url,caption") == UInt8(ascii: ","))
        #expect(delimiter("url;title, long;date") == UInt8(ascii: ";"))
        #expect(delimiter("url\tcaption") == 0x09)
        #expect(delimiter("\"a,b,c\";d") == UInt8(ascii: ";"))
        #expect(delimiter("url") == nil)
    }
}

/// Bytes as the fixtures have them.
enum Hexadecimal {
    static func bytes(_ text: Substring) -> [UInt8] {
        var rest = text
        var bytes: [UInt8] = []
        while !rest.isEmpty {
            bytes.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
