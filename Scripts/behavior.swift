// Compares Documentation/Behavior.md with the tests: `swift -enable-bare-slash-regex Scripts/behavior.swift`
// prints one finding per line and fails if there is one; with the argument `write` it writes the table.
//
// A test cites rows of Documentation/behavior-rows.txt in the comment directly above it
// ("// F2, open point a", "// PF1-PF6, flag progressive, default age") or in its sentence ("F2: a
// second load …", "… (F2, V17)"). A flag whose name is not an ordinary word needs no "flag" before it.
import Foundation

struct Row {
    var id, theirs, ours, reason, place: String
    var tests: Set<String> = []
}

let rowsFile = "Documentation/behavior-rows.txt"
let tableFile = "Documentation/Behavior.md"
let code = /\b(PF|[VKMDOCF])([0-9]+)(?:-(?:PF|[VKMDOCF])?([0-9]+))?\b/
let point = /[Oo]pen points? ([a-n](?:(?:, | and )[a-n])*)\b/
let label = /^((?:(?:[A-Z]+[0-9]+|[Oo]pen point [a-n])(?:, )?)+):\ /
let parenthesis = /\ ?\(((?:[A-Z]+[0-9]+(?:, )?)+)\)/
let typeName =
    /^(?:(?:@\w+(?:\([^)]*\))?|public|private|fileprivate|final) )*(?:struct|class|actor|enum|extension) (\w+)/

var findings: [String] = []
var rows: [String: Row] = [:]
var order: [(section: String, ids: [String])] = []

func lines(_ path: String) throws -> [Substring] {
    try String(contentsOfFile: path, encoding: .utf8)
        .split(separator: "\n", omittingEmptySubsequences: false)
}

func readRows() throws {
    for (number, line) in try lines(rowsFile).enumerated() where !line.isEmpty {
        if line.hasPrefix("## ") { order.append((String(line.dropFirst(3)), [])) }
        if line.hasPrefix("#") { continue }
        let place = "\(rowsFile):\(number + 1)"
        let columns = line.split(separator: "|", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard columns.count == 4, !order.isEmpty else {
            findings.append("\(place): must have four columns and follow a heading")
            continue
        }
        let ours = columns[2].replacing(/^=/, with: "the same")
        let (id, theirs, reason) = (columns[0], columns[1], columns[3])
        rows[id] = Row(id: id, theirs: theirs, ours: ours, reason: reason, place: place)
        order[order.count - 1].ids.append(id)
    }
}

/// Returns the codes and open points in a text, including those in a range such as "V1-V3".
func citations(_ text: some StringProtocol) -> [String] {
    let text = String(text)
    let codes = text.matches(of: code).flatMap { match in
        let first = Int(match.2) ?? 0
        return (first...max(first, match.3.flatMap { Int($0) } ?? first)).map { "\(match.1)\($0)" }
    }
    let points = text.matches(of: point).flatMap { match in
        match.1.split { !$0.isLetter }.filter { $0.count == 1 }.map { "open \($0)" }
    }
    return codes + points
}

/// Returns the flags and defaults that are cited by name.
func namedRows(notes: String, sentence: String) -> [String] {
    func words(_ text: String) -> String {
        " " + text.split { !$0.isLetter && !$0.isNumber }.joined(separator: " ") + " "
    }
    let (above, all) = (words(notes), words(notes + " " + sentence))
    return rows.keys.filter { id in
        guard let name = id.split(separator: " ").last, name != id, name.count > 1 else {
            return false
        }
        if id.hasPrefix("default ") { return above.contains(" default \(name) ") }
        return all.contains(name.contains(where: \.isUppercase) ? " \(name) " : " flag \(name) ")
    }
}

func take(test sentence: String, in suite: String, notes: String, place: String) {
    var cited = citations(notes) + namedRows(notes: notes, sentence: sentence)
    for match in [sentence.firstMatch(of: label), sentence.firstMatch(of: parenthesis)] {
        cited += match.map { citations($0.1) } ?? []
    }
    let words = sentence.replacing(label, with: "").replacing(parenthesis, with: "")
    for id in cited {
        if rows[id] == nil { findings.append("\(place): cites \(id), which is not a row") }
        rows[id]?.tests.insert("\(suite): \(words)".replacing("|", with: "\\|"))
    }
}

func readTests(_ path: String) throws {
    var suite = URL(filePath: path).deletingPathExtension().lastPathComponent
    var (notes, isTest) = ("", false)
    for (number, line) in try lines(path).enumerated() {
        let text = line.drop { $0 == " " }
        if let match = line.firstMatch(of: typeName) { suite = String(match.1) }
        if text.hasPrefix("@Test") { isTest = true }
        if text.hasPrefix("//"), !isTest {
            notes += text + " "
        } else if isTest, let match = text.firstMatch(of: /`([^`]+)`|func (\w+)/) {
            let sentence = String(match.1 ?? match.2 ?? "")
            take(test: sentence, in: suite, notes: notes, place: "\(path):\(number + 1)")
            (notes, isTest) = ("", false)
        } else if !isTest, !text.hasPrefix("@") {
            notes = ""
        }
    }
}

func table() throws -> String {
    let introduction = try lines(tableFile).prefix { !$0.hasPrefix("## ") }
    return introduction.map { $0 + "\n" }.joined()
        + order.map { section, ids in
            "## \(section)\n\n| row | SDWebImage | ours | tests |\n|---|---|---|---|\n"
                + ids.compactMap { rows[$0] }.map { row in
                    let held = row.tests.sorted().joined(separator: "<br>")
                    let tests = held.isEmpty ? "none: \(row.reason)" : held
                    return "| \(row.id) | \(row.theirs) | \(row.ours) | \(tests) |\n"
                }.joined()
        }.joined(separator: "\n")
}

try readRows()
let tests = FileManager.default.enumerator(atPath: "Tests")?.compactMap { $0 as? String } ?? []
for path in tests.sorted() where path.hasSuffix(".swift") { try readTests("Tests/" + path) }
for row in rows.values.sorted(by: { $0.place < $1.place })
where row.tests.isEmpty == row.reason.isEmpty {
    let fault =
        row.tests.isEmpty ? "has neither a test nor a reason" : "has a test, so it needs no reason"
    findings.append("\(row.place): \(row.id) \(fault)")
}
let isWriting = CommandLine.arguments.dropFirst() == ["write"]
if isWriting { try table().write(toFile: tableFile, atomically: true, encoding: .utf8) }
if try String(contentsOfFile: tableFile, encoding: .utf8) != table() {
    findings.append("\(tableFile):1: differs from the tests; run make behavior")
}
for finding in findings { print(finding) }
exit(findings.isEmpty ? 0 : 1)
