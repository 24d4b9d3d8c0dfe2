import Foundation
import Testing

@testable import Feeds

@Suite struct JSONValueTests {
    /// Made by `Fixtures/json-values.py`.
    @Test func `every text has the value that Python's json module gives`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Fixtures/json-values.txt")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 458)
        for line in lines {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            let bytes = Hexadecimal.bytes(columns[0])
            let value = try? JSONValue(parsing: bytes)
            let expected =
                columns[1] == "-"
                ? nil : String(decoding: Hexadecimal.bytes(columns[1]), as: UTF8.self)
            #expect(value?.description == expected, "\(String(decoding: bytes, as: UTF8.self))")
        }
    }

    @Test(arguments: [#""\ud800""#, #""\udc00""#, #""\ud800x""#, #"{"\ud83d":1}"#])
    func `half of a surrogate pair is an error`(text: String) {
        #expect(throws: JSONFault.self) { try JSONValue(parsing: text.utf8) }
    }

    @Test func `a byte order mark may precede the text`() throws {
        #expect(try JSONValue(parsing: [0xEF, 0xBB, 0xBF] + "[1]".utf8) == .array([.number("1")]))
    }

    @Test func `a path leads through objects and arrays`() throws {
        let value = try JSONValue(
            parsing: #"{"media":[{"url":"u","a.b":{"c":"d"}}],"e.f":7}"#.utf8
        )
        #expect(value[path: "media.0.url"] == .string("u"))
        #expect(value[path: "media.0.a.b.c"] == nil)
        #expect(value[path: "media.0.a.b"]?["c"] == .string("d"))
        #expect(value[path: "e.f"]?.text == "7")
        #expect(value[path: "media.1.url"] == nil)
        #expect(value[path: "media.-1"] == nil)
        #expect(value[path: ""] == nil)
    }

    // MARK: - Limits

    private static func fault(_ text: String, _ limits: JSONLimits = JSONLimits()) -> JSONFault? {
        do throws(JSONFault) {
            _ = try JSONValue(parsing: text.utf8, limits: limits)
            return nil
        } catch {
            return error
        }
    }

    @Test func `nesting of a hundred thousand levels is an error with its position`() {
        let reason = "nested deeper than 128"
        #expect(
            Self.fault(String(repeating: "[", count: 100_000))
                == .invalid(position: 128, reason: reason)
        )
        let objects = String(repeating: #"{"a":"#, count: 100_000)
        #expect(Self.fault(objects) == .invalid(position: 640, reason: reason))
        #expect(Self.fault("[[[]]]", JSONLimits(depth: 3)) == nil)
        #expect(Self.fault("[[[[]]]]", JSONLimits(depth: 3)) != nil)
    }

    @Test func `a document above the limits is refused before it is parsed`() {
        #expect(Self.fault("[1,2,3]", JSONLimits(valueCount: 4)) == nil)
        #expect(
            Self.fault("[1,2,3,4]", JSONLimits(valueCount: 4))
                == .invalid(position: 6, reason: "more than 4 values")
        )
        #expect(
            Self.fault("[1,2]", JSONLimits(byteCount: 4))
                == .invalid(position: 0, reason: "longer than 4 bytes")
        )
    }

    @Test func `an error states the position but no text of the document`() {
        let text = #"{"a": 1, "b": \#u{1B}]0;x}"#
        guard case .invalid(let position, let reason)? = Self.fault(text) else {
            Issue.record("it is taken for JSON")
            return
        }
        #expect((14...16).contains(position))
        #expect(reason == "unexpected character")
    }

    @Test func `numbers that the library cannot store do not change an error's position`() {
        let text = #"[1.50, 12345678901234567890123, 1e999, x]"#
        guard case .invalid(let position, _)? = Self.fault(text) else {
            Issue.record("it is taken for JSON")
            return
        }
        #expect((39...40).contains(position))
    }
}
