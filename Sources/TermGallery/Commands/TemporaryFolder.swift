import FoundationEssentials
import Glibc

/// A folder that lasts as long as the program.
struct TemporaryFolder {
    let path: String

    init() throws {
        let wished = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        let parent = wished.isEmpty ? "/tmp" : wished
        var template = Array("\(parent)/termgallery-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            let reason = String(cString: strerror(errno))
            throw ProgramFailure(.systemFailure, "no temporary folder in \(parent): \(reason)")
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Deletes it with what it holds; what can't be deleted stays for the system to sweep.
    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
