import Testing

@testable import Feeds

/// The `srcset` attribute, by the steps of the HTML standard ("parse a srcset attribute").
struct SourceSetTests {
    /// Each candidate as "address width density".
    @Test(arguments: [
        ("", []), (" ", []), (",", []), (" , ,", []), ("a", ["a - -"]), ("a,b", ["a,b - -"]),
        ("a, b", ["a - -", "b - -"]), ("a,,, b", ["a - -", "b - -"]), (",a", ["a - -"]),
        ("a 1x, b 2x", ["a - 1.0", "b - 2.0"]), ("a 1x,b 2x", ["a - 1.0", "b - 2.0"]),
        ("a\t320w\n,\u{C}b 640w", ["a 320 -", "b 640 -"]), ("a 1.5x", ["a - 1.5"]),
        ("a .5x", ["a - 0.5"]), ("a 1e2x", ["a - 100.0"]), ("a 1E+1x", ["a - 10.0"]),
        ("a 0x", ["a - 0.0"]), ("a -0x", ["a - -0.0"]), ("a -1x", []), ("a +1x", []), ("a 1.x", []),
        ("a x", []), ("a infx", []), ("a nanx", []), ("a 0x10x", []), ("a 1ex", []),
        ("a 0w", []), ("a -1w", []), ("a +1w", []), ("a 1.0w", []), ("a w", []),
        ("a 007w", ["a 7 -"]),
        ("a 1w 1w", []), ("a 1x 1x", []), ("a 1w 1x", []), ("a 1x 1w", []),
        ("a 5w 5h", ["a 5 -"]), ("a 5h 5w", ["a 5 -"]), ("a 5h", []), ("a 5h 1x", []),
        ("a 0h 5w", []),
        ("a 5q", []), ("a 5q, b 1x", ["b - 1.0"]), ("a 1W", []), ("a (1x, b 2x) 1w, c", ["c - -"]),
        ("a ( , b", []), ("a 1x (", []), ("a (x) 1x, b", ["b - -"]),
        ("data:,a ( , data:,b 1x, ), data:,c", ["data:,c - -"]),
        ("data:image/png;base64,AAAA 1x, b 2x", ["data:image/png;base64,AAAA - 1.0", "b - 2.0"]),
        ("a 1x , , b", ["a - 1.0", "b - -"]), ("a,b 5w, c", ["a,b 5 -", "c - -"]),
        ("a, 1x", ["a - -", "1x - -"]),
    ])
    func `candidates are parsed as in the standard`(text: String, expected: [String]) {
        let found = SourceSet(text).candidates.map { candidate in
            "\(candidate.url) \(candidate.width.map(String.init) ?? "-") "
                + (candidate.density.map { "\($0)" } ?? "-")
        }

        #expect(found == expected)
    }

    @Test func `an unterminated source set ends at the end of the text`() {
        let text = String(repeating: "a 1w,", count: 100_000)

        #expect(SourceSet(text).candidates.count == 50)
        #expect(SourceSet(String(repeating: "(", count: 100_000)).candidates.count == 1)
    }
}
