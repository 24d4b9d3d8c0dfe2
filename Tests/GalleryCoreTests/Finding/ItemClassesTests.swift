import Foundation
import ImageLoading
import PropertyRuns
import Testing

@testable import Feeds
@testable import GalleryCore

@Suite struct ItemClassesTests {
    private func feed(_ lines: [String], _ name: String = "f") throws -> Feed {
        try Feed(
            parsing: Array(lines.joined(separator: "\n").utf8),
            title: name,
            base: .directory("/"),
            origin: .local
        )
    }

    /// The items whose host is exactly this one.
    private func items(on host: String, of feed: Feed) throws -> [Int] {
        let classes = try ItemClasses.hosts(of: feed) { false }
        return Array(classes.items { $0.elementsEqual(host.utf8) })
    }

    @Test func `a host is found in any spelling of the line`() throws {
        let lines = [
            "http://a.org/1.jpg", "https://A.ORG/2.jpg caption", "http://b.org/3.jpg",
            "http://u:p@a.org/4.jpg", "HTTP://a.org/5.jpg", "\"http://a.org/6 6.jpg\" six",
            "/p/a.org/7.jpg", "http://a.org", "http://a.org?9", "http://a.org#10",
            "http://a.org:8080/11.jpg", "http://a.org.b/12.jpg", "http:///13.jpg", "a.org/14.jpg",
            "http://xn--a.org/15.jpg", "data:image/png,//a.org/", "http://b.org/17?//a.org/",
            "https://[::1]:80/18.jpg", "http://a.org/19.jpg",
        ]
        let feed = try feed(lines)

        #expect(try items(on: "a.org", of: feed) == [0, 1, 3, 4, 5, 7, 8, 9, 18])
        #expect(try items(on: "b.org", of: feed) == [2, 16])
        #expect(try items(on: "a.org:8080", of: feed) == [10])
        #expect(try items(on: "[::1]:80", of: feed) == [17])
        #expect(try items(on: "", of: feed) == [])
    }

    @Test func `the hosts of joined feeds are found`() throws {
        let joined = try Feed(joining: [
            feed(["http://a/1", "http://b/2"]), feed(["http://b/3"]), feed(["/p/4", "http://a/5"]),
        ])

        #expect(try items(on: "b", of: joined) == [1, 2])
        #expect(try items(on: "a", of: joined) == [0, 4])
    }

    @Test func `each item is in the class of the host that Foundation finds in its URL`() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<PropertyRuns.count(200) {
            let hosts = (0..<Int.random(in: 1...300, using: &random)).map { _ in
                String(
                    (0..<Int.random(in: 1...12, using: &random)).map { _ in
                        "abcXYZ019-".randomElement(using: &random)!
                    }
                )
            }
            let urls = (0..<500).map { "http://\(hosts.randomElement(using: &random)!)/\($0).jpg" }
            let feed = try feed(urls)
            let classes = try ItemClasses.hosts(of: feed) { false }
            for host in hosts.prefix(5) {
                let wanted = urls.indices.filter { item in
                    URLComponents(string: urls[item])?.host?.lowercased() == host.lowercased()
                }
                let found = classes.items { $0.elementsEqual(host.lowercased().utf8) }
                #expect(Array(found) == wanted)
            }
        }
    }
}
