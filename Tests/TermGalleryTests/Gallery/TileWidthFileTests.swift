import Glibc
@testable import TermGallery
import Testing

@Suite struct TileWidthFileTests {
    @Test func `a width is written to new folders, read again, and forgotten`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = TileWidthFile(path: "\(folder.path)/a/b/tile-width")
        #expect(file.read() == nil)

        file.write(17)
        #expect(file.read() == 17)
        file.write(37)
        #expect(file.read() == 37)

        file.write(nil)
        #expect(file.read() == nil)
        file.write(nil)
    }

    @Test(arguments: ["", "x", "-4", "0", "99999999999999999999999", "\u{0}\u{0}", "17 or so"])
    func `a file without a valid width counts as missing`(text: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = "\(folder.path)/tile-width"
        let stream = try #require(fopen(path, "wb"))
        fputs(text, stream)
        fclose(stream)

        #expect(TileWidthFile(path: path).read() == nil)
    }

    @Test func `an unwritable folder is ignored`() {
        for path in ["/proc/nowhere/tile-width", "/dev/null/tile-width", "/"] {
            let file = TileWidthFile(path: path)
            file.write(20)
            #expect(file.read() == nil)
        }
        TileWidthFile(path: nil).write(20)
        #expect(TileWidthFile(path: nil).read() == nil)
    }
}
