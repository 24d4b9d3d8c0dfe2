import Testing

@testable import Feeds
@testable import TermGallery
@testable import TerminalUI

/// Cases of the kinds in toml-test, for the supported part of TOML.
@Suite struct TOMLReaderTests {
    private func read(_ text: String) -> Result<TOMLTable, TextFault> {
        do throws(TextFault) {
            return .success(try TOMLReader.read(Array(text.utf8)))
        } catch {
            return .failure(error)
        }
    }

    private func value(_ text: String) throws -> TOMLValue.Content? {
        try read("a = \(text)").get()["a"]?.content
    }

    /// Returns the fault of a document in the format of compilers.
    private func fault(_ text: String) -> String {
        guard case .failure(let fault) = read(text) else { return "none" }
        return "\(fault.position.line):\(fault.position.column): \(fault.text)"
    }

    @Test(arguments: [
        ("\"x\"", TOMLValue.Content.string("x")), ("''", .string("")),
        ("'C:\\n'", .string("C:\\n")), (#""\t\"\\\u00e9\U0001F600""#, .string("\t\"\\é😀")),
        ("0", .integer(0)), ("+99", .integer(99)), ("-17", .integer(-17)),
        ("1_000", .integer(1000)), ("0xDEAD_beef", .integer(0xDEAD_BEEF)),
        ("0o755", .integer(0o755)), ("0b1101", .integer(13)),
        ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
        ("1.5", .number(1.5)), ("-0.01", .number(-0.01)), ("5e+2", .number(500)),
        ("6.626e-3", .number(0.006626)), ("true", .boolean(true)), ("false", .boolean(false)),
        ("[]", .array([])),
    ])
    func `a value is read as in TOML`(text: String, content: TOMLValue.Content) throws {
        #expect(try value(text) == content)
        #expect(try value(text + " # comment") == content)
    }

    @Test func `tables, dotted keys and quoted keys lead to the same place`() throws {
        let written = [
            "[a.b]\nc.d = 1", "a.b.c.d = 1", "a = { b = { c = { d = 1 } } }",
            "[ a . \"b\" ]\n'c'.d=1", "[a.b.c]\nd = 1",
        ]
        for text in written {
            let table = try read(text).get()
            let place = table["a"]?.table?["b"]?.table?["c"]?.table?["d"]
            #expect(place?.content == .integer(1), "\(text)")
        }
    }

    @Test func `arrays may take several lines, with comments and a comma at the end`() throws {
        let array = try read("a = [ # one\n  \"x\",\r\n\t'y', # two\n]\nb = 1").get()

        #expect(array["a"]?.strings?.map(\.string) == ["x", "y"])
        #expect(array["b"]?.content == .integer(1))
    }

    @Test func `values and keys know their line and column, counted in characters`() throws {
        #expect(fault("# é\n\n  [x]\nüb = 1") == "4:1: expected a key, found “ü”")
        let entry = try #require(
            try read("[x]\n  \"ü\"  =  [ 7 ]").get()["x"]?.table?.entries.first
        )
        #expect(entry.position == TextPosition(line: 2, column: 3))
        #expect(entry.value.position == TextPosition(line: 2, column: 11))
    }

    @Test(arguments: [
        ("a = ", "1:5: expected a value, found the end of the file"),
        ("a = \n", "1:5: expected a value, found the end of the line"),
        ("a b = 1", "1:3: expected “=” after the key, found “b”"),
        ("= 1", "1:1: expected a key, found “=”"),
        ("a = 1 2", "1:7: expected the end of the line, found “2”"),
        ("a = 1\na = 2", "2:1: “a” is defined twice"),
        ("[a]\n[a]", "2:2: [a] is defined twice"),
        ("a = 1\n[a]", "2:2: “a” has a value already"),
        ("a = {}\na.b = 1", "2:1: “a” has a value already"),
        ("[a\nb = 1", "1:3: expected “]”, found the end of the line"),
        ("[[a]]", "1:2: arrays of tables, [[…]], are not supported here"),
        ("a = \"x", "1:7: expected \" at the end of the string"),
        ("a = \"\"\"x\"\"\"", "1:6: multi-line strings are not supported here"),
        ("a = \"\\x\"", "1:6: no such escape in a string; a backslash is \\\\, or use '…'"),
        ("a = \"\\ud800\"", "1:6: no such character"),
        (
            "a = \"\u{7}\"",
            "1:6: a string must not contain control characters; write them as \\u0007"
        ),
        ("a = dark", "1:5: “dark” is not a value; put strings in quotes: \"dark\""),
        ("a = 01", "1:5: invalid number: 01"),
        ("a = 1__0", "1:5: invalid number: 1__0"),
        ("a = 1.", "1:5: invalid number: 1."),
        ("a = .5", "1:5: “.5” is not a value; put strings in quotes: \".5\""),
        ("a = 9223372036854775808", "1:5: invalid number: 9223372036854775808"),
        ("a = 1979-05-27", "1:5: dates are not supported here"),
        ("a = [1 2]", "1:8: expected “,” or “]”, found “2”"),
        ("a = { b = 1, }", "1:14: expected a key, found “}”"),
        ("a = { b = 1\n}", "1:12: expected “,” or “}”, found the end of the line"),
        ("a = 1\r", "1:7: a carriage return without a line feed"),
        ("# \u{1}", "1:3: a comment must not contain control characters"),
    ])
    func `an error states its line and column`(text: String, expected: String) {
        #expect(fault(text) == expected)
    }

    @Test func `bytes that are not UTF-8 are reported with their position`() {
        var fault: TextFault?
        do throws(TextFault) {
            _ = try TOMLReader.read(Array("a = 1\n# ".utf8) + [0xFF])
        } catch {
            fault = error
        }
        #expect(fault?.position == TextPosition(line: 2, column: 3))
    }

    @Test func `depth, size and the number of keys have limits`() {
        #expect(fault("a = " + String(repeating: "[", count: 100_000)).contains("too deeply"))
        #expect(fault(String(repeating: "a.", count: 50_000) + "a = 1").contains("too deeply"))
        #expect(fault("[" + String(repeating: "a.", count: 50_000) + "a]").contains("too deeply"))
        #expect(fault(String(repeating: "#", count: 2 << 20)).contains("1 MiB"))
        let many = (0..<5000).map { "k\($0) = 1" }.joined(separator: "\n")
        #expect(fault(many).contains("too many keys"))
    }

    @Test func `every cut of a document is a document or an error`() {
        let text =
            "[keys]\nopen = [\"space\", 'o'] # é\n[hosts.\"a.b\"]\nheaders = { X = \"\\u00e9\" }\n"
        let bytes = Array(text.utf8)
        var count = 0
        for end in bytes.indices {
            for byte in [UInt8?.none, 0, 0x22, 0x5B, 0x7B, 0xC3, 0x3D] {
                let cut = Array(bytes[..<end]) + (byte.map { [$0] } ?? [])
                do throws(TextFault) {
                    _ = try TOMLReader.read(cut)
                } catch {
                    count += 1
                }
            }
        }
        #expect(count > 100)
    }
}
