import ArgumentParser
import GalleryCore
import ImageLoading
import Testing

@testable import Feeds
@testable import TermGallery
@testable import TerminalUI

@Suite struct ArgumentTests {
    @Test(arguments: [
        ("0", 0), ("200000", 200_000), ("200k", 204_800), ("200K", 204_800), ("64M", 64 << 20),
        ("1g", 1 << 30), ("007", 7),
    ])
    func `a number of bytes may have a unit`(text: String, value: Int) {
        #expect((try? ByteCountArgument.value(text)) == value)
    }

    @Test(arguments: [
        "", "k", "-1", "+1", "1.5M", "1T", "1kk", "1 k", "9223372036854775808", "9007199254740992k",
        "٣", "0x10",
    ])
    func `an invalid number of bytes is refused`(text: String) {
        #expect(throws: ValidationError.self) { try ByteCountArgument.value(text) }
    }

    @Test(arguments: [("40x20", 40, 20), ("1X1", 1, 1), ("1000x1000", 1000, 1000)])
    func `a box is columns by rows`(text: String, columns: Int, rows: Int) {
        let box = ScreenSize(columns: columns, rows: rows)

        #expect(CellBoxArgument.box(text) == box)
    }

    @Test(arguments: [
        "", "x", "40", "40x", "x20", "40x20x", "x40x20", "0x5", "1001x5", "+4x5", "-4x5", "4 x5",
        "40×20",
    ])
    func `an invalid box is refused`(text: String) {
        #expect(CellBoxArgument.box(text) == nil)
    }

    @Test(arguments: [
        ["--nonsense"], ["fetch", "-", "-"], ["-", "-"],
        ["print", "--columns", "0", "a"], ["print", "--size", "big", "a"],
        ["print", "--columns", "100", "--size", "1000x1000", "a"],
        ["--transfers", "0", "a"], ["--transfers", "65", "a"], ["--timeout", "0", "a"],
        ["--proxy", "ftp://p", "a"], ["--proxy", "a b", "a"], ["--proxy", "garbage", "a"],
        ["--proxy", "p:x", "a"], ["--proxy", ":3128", "a"], ["--proxy", "http://p:99999", "a"],
        ["--proxy", "http://", "a"], ["--proxy", "http://:80", "a"], ["--max-pixels", "0", "a"],
        ["--cache-dir", "", "a"], ["--memory-cache", "much", "a"],
        ["demo", "--failures", "101"], ["demo", "--count", "0"], ["demo", "a"],
        ["serve", "--port", "65536"], ["cache", "melt"], ["cache", "clear", "--memory"],
        ["cache", "stats", "--cache-dir", ""], ["--colors", "7", "a"],
    ])
    func `a wrong call is a usage error`(arguments: [String]) {
        let error = #expect(throws: (any Error).self) {
            _ = try TermGalleryCommand.parseAsRoot(arguments)
        }

        let code = error.map(TermGalleryCommand.exitCode(for:))
        #expect(code == .validationFailure)
    }

    @Test func `clearing the memory cache from the shell is explained`() {
        let help = TermGalleryCommand.helpMessage(for: ClearCommand.self, columns: 200)

        #expect(help.contains("belongs to a running gallery"))
        #expect(help.contains("its key c clears it"))
    }

    @Test(arguments: [
        ["fetsch", "x"], ["a.txt", "--autoscroll"], ["-"], ["--", "--odd name"], [],
    ])
    func `any other argument is a feed for the gallery`(arguments: [String]) throws {
        let command = try TermGalleryCommand.parseAsRoot(arguments) as? GalleryCommand

        #expect(command?.feeds.names == arguments.filter { $0 != "--" && $0 != "--autoscroll" })
    }

    @Test(arguments: [
        "", "p:3128", "[::1]:3128", "http://p:3128", "http://p:3128/", "HTTPS://u:pw@p",
        "socks5h://[::1]:1080", "http://[::1]",
    ])
    func `a proxy is a host with a port, or a URL`(proxy: String) throws {
        let command = try TermGalleryCommand.parseAsRoot(["fetch", "--proxy", proxy, "a"])

        #expect((command as? FetchCommand)?.loading.proxy == proxy)
    }

    @Test(arguments: ["http://[::1", "[::1", "http://", "p", "ftp://p", "http://p:0"])
    func `other values are not a proxy`(proxy: String) {
        #expect(!ProxyArgument.isUsable(proxy))
    }

    @Test
    func `the gallery loads the newest request first, other commands the first`()
        throws
    {
        let loading = try LoadingArguments.parse([])
        let (gallery, other) = (
            loading.configuration(isGallery: true), loading.configuration(isGallery: false)
        )

        #expect(gallery.downloader.order == .lastInFirstOut)
        #expect(other.downloader.order == .firstInFirstOut)
        #expect(gallery.decodeThreadNiceness == 10 && other.decodeThreadNiceness == 0)
    }

    @Test func `the cache's folder is made absolute`() throws {
        let command = try TermGalleryCommand.parseAsRoot(["cache", "path", "--cache-dir", "c"])

        let directory = (command as? PathCommand)?.cache.disk.configuration.directory
        #expect(directory?.hasPrefix("/") == true)
        #expect(directory?.hasSuffix("/c") == true)
    }
}
