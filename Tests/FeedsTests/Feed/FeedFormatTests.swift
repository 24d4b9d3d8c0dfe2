import Testing

@testable import Feeds

/// Markup is a feed or a page, which its root element decides.
struct FeedFormatTests {
    @Test(arguments: [
        "<?xml version='1.0'?><rss><channel><description><![CDATA[<html>]]></description>",
        "<?xml version='1.0'?><!-- not <html> --><rss version='2.0'>",
        "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'a.dtd'><rss version='2.0'>",
        "<a:feed xmlns:a='http://www.w3.org/2005/Atom'><a:title>t</a:title>",
        "<r:rss xmlns:r='http://backend.userland.com/rss2' version='2.0'>",
        "\u{FEFF}  <RDF:RDF>", "<opml version='1.0'>", "<entry xmlns='x'>",
        "<?xml version='1.0'?><ListBucketResult>", "<?xml version='1.0'?><playlist/>",
    ])
    func `XML with the root of a feed, or a declaration, is XML`(text: String) {
        #expect(FeedFormat.sniffed(from: Array(text.utf8)) == .xml)
    }

    @Test(arguments: [
        "<!doctype html><title>rss</title>", "<html><body><rss>", "<HTML>", "<p>words",
        "<?xml version='1.0'?><!DOCTYPE html><html xmlns='http://www.w3.org/1999/xhtml'>",
        "<!-- <rss> --><html>", "<", "<!", "<!--", "<? >",
    ])
    func `other markup is a page`(text: String) {
        #expect(FeedFormat.sniffed(from: Array(text.utf8)) == .page)
    }
}
