import Glibc
import Testing

@testable import TermGallery

@Suite struct TemporaryFolderTests {
    private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    @Test func `a folder that is in use is not swept`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }

        TemporaryFolder.sweep()

        #expect(exists(folder.path))
    }

    @Test func `the folder of a killed program is deleted with its contents`() throws {
        var template = TemporaryFolder.template
        let left = String(cString: try #require(mkdtemp(&template)))
        close(open(left + "/tmp-1", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))

        TemporaryFolder.sweep()

        #expect(!exists(left))
    }

    @Test func `only such folders are deleted`() throws {
        var template = TemporaryFolder.template
        let left = String(cString: try #require(mkdtemp(&template)))
        let others = [left + "-mine", left.replacing("demo", with: "work")]
        for path in others { mkdir(path, 0o700) }
        defer { for path in others { rmdir(path) } }

        TemporaryFolder.sweep()

        #expect(others.allSatisfy(exists))
    }
}
