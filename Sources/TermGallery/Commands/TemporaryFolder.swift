import FoundationEssentials
import Glibc

/// A folder that lasts as long as the program.
struct TemporaryFolder {
    let path: String

    /// What names made below `parent` look like: the system writes over the six X.
    static var template: [CChar] { Array("\(parent)/termgallery-XXXXXX".utf8CString) }

    private static var parent: String {
        let wished = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        return wished.isEmpty ? "/tmp" : wished
    }

    init() throws {
        var template = Self.template
        guard mkdtemp(&template) != nil else {
            let reason = String(cString: strerror(errno))
            throw ProgramFailure(.systemFailure, "no temporary folder in \(Self.parent): \(reason)")
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Deletes it with what it holds; what can't be deleted stays for the system to sweep.
    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
