import Testing

@testable import Feeds

@Suite struct JSONTextTests {
    private static func parts(
        _ text: String,
        _ ranges: (UnsafeBufferPointer<UInt8>) -> [Range<Int>]
    ) -> [String] {
        Array(text.utf8).withUnsafeBufferPointer { bytes in
            ranges(bytes).map { String(decoding: bytes[$0], as: UTF8.self) }
        }
    }

    private static func elements(_ text: String) -> (parts: [String], isWhole: Bool) {
        var isWhole = false
        let parts = parts(text) { bytes in
            let found = JSONText.elements(bytes, ofArrayAt: 0)
            isWhole = found.isWhole
            return found.starts.map { Int($0)..<JSONText.valueEnd(bytes, from: Int($0)) }
        }
        return (parts, isWhole)
    }

    @Test func `the elements of an array are found, whatever their types`() {
        let found = Self.elements(#"[ {"a":[1,"]"]} , "x\"]," ,12, [ ] ,null]"#)
        #expect(found.parts == [#"{"a":[1,"]"]}"#, #""x\"],""#, "12", "[ ]", "null"])
        #expect(found.isWhole)
    }

    @Test func `a truncated array has its complete elements`() {
        let found = Self.elements(#"[{"a":1},{"b":2},{"c":"#)
        #expect(found.parts == [#"{"a":1}"#, #"{"b":2}"#, #"{"c":"#])
        #expect(!found.isWhole)
        #expect(Self.elements("[").parts == [])
    }

    @Test(arguments: ["[}}}", "[:::", "[\"", "[\\", "[1 2 3", "[{]}", "[,,,"])
    func `scanning text without an array ends`(text: String) {
        #expect(Self.elements(text).parts.count <= text.utf8.count)
    }

    @Test func `values are strings and numbers, not names`() {
        let text = #"{"a":"b","c":["d",-1.5,{"e" : "f\"g"}],"h":true,"i":""}"#
        let values = Self.parts(text) { bytes in
            var values: [Range<Int>] = []
            JSONText.forEachValue(bytes) {
                values.append($0)
                return true
            }
            return values
        }
        #expect(values == ["b", "d", "-1.5", #"f\"g"#, ""])
    }

    @Test func `a path leads to the same value as in the parsed text`() throws {
        let text = #" {"a":{"x":1},"a":{"b":[{"c":"no"},{"c":"yes","c":"last"}]},"d":7} "#
        let parsed = try JSONValue(parsing: text.utf8)
        for path in ["a.b.1.c", "a.b.0.c", "d", "a.x", "a.b.2.c", "a.b.c", "x", "d.e"] {
            let steps = path.split(separator: ".").map { Array($0.utf8) }
            let found = Self.parts(text) { bytes in
                JSONText.value(at: steps, bytes).map { [$0] } ?? []
            }
            #expect(found == parsed[path: path].map { [$0.description] } ?? [], "\(path)")
        }
    }

    @Test func `escapes are decoded as by the library`() throws {
        let inside = #"a\"\\\/\b\f\n\r\t\u00e9\u20AC\ud83d\ude00z"#
        let text = String(decoding: JSONText.unescaped(inside.utf8), as: UTF8.self)
        #expect(try JSONValue(parsing: "\"\(inside)\"".utf8) == .string(text))
    }

    // Python's json reports each of these as an error; the text must not lose a character.
    @Test(arguments: [
        #"C:\qix"#, #"\d+\."#, #"\u12"#, #"\u+041"#, #"\uzzzz\u00e9"#, #"\'"#, #"\"#,
    ])
    func `an invalid escape is kept as it is written`(inside: String) {
        let kept = inside.replacing(#"\u00e9"#, with: "é")
        #expect(String(decoding: JSONText.unescaped(inside.utf8), as: UTF8.self) == kept)
    }
}
