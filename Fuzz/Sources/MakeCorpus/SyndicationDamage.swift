/// Possible damage of feeds with entries, in XML and in JSON.
enum SyndicationDamage {
    static let files: [DamagedFile] =
        xml.map { ("xml-\($0.key).xml", Array($0.value.utf8)) }
        + json.map { ("entries-\($0.key).json", Array($0.value.utf8)) }

    private static let media = "xmlns:media=\"http://search.yahoo.com/mrss/\""
    private static let item =
        "<item><title>A &amp; B</title><link>/1</link><pubDate>1 May 2024 10:00 GMT</pubDate>"
        + "<media:content url=\"a.jpg\" type=\"image/jpeg\" width=\"9\"/></item>"

    private static func rss(_ items: String) -> String {
        "<?xml version=\"1.0\"?><rss \(media)><channel><title>F</title>\(items)</channel></rss>"
    }

    private static let xml: KeyValuePairs<String, String> = [
        "in-order": rss(item + item),
        "cut": String(rss(item + item).dropLast(60)),
        "ends-crossed": rss("<item><title>A</item></title>" + item),
        "entities-of-its-own":
            "<!DOCTYPE rss [<!ENTITY a \"x\"><!ENTITY b \"&a;&a;\">]>"
            + rss("<item>&b;</item>" + item),
        "entity-of-a-file": "<!DOCTYPE rss [<!ENTITY f SYSTEM \"file:///etc/passwd\">]>"
            + rss("<item><title>&f;</title><enclosure url=\"&f;.jpg\"/></item>"),
        "entity-unknown": rss("<item><title>caf&eacute;</title></item>" + item),
        "deep": rss(String(repeating: "<item><a>", count: 300)),
        "groups": rss(
            "<item><media:group><media:content url=\"1.jpg\" isDefault=\"true\"/>"
                + "<media:content url=\"2.jpg\" width=\"99999999999999999999\" height=\"-1\"/>"
                + "</media:group></media:group><media:thumbnail url=\"t.png\"/></item>"
        ),
        "pictures-in-text": rss(
            "<item><description>&lt;img src='x.png' alt=a&gt;&lt;img width=1 src=y&gt;</description>"
                + "<description><![CDATA[<p><img data-src=\"z.jpg\"]]></description></item>"
        ),
        "names-without-namespaces":
            "<rss><channel><item><media:content url=\"a.jpg\"/></item></channel></rss>",
        "bases": "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:base=\"file:///etc/\">"
            + "<entry xml:base=\"//h\"><link rel=\"enclosure\" href=\"p.png\" type=\"image/png\"/></entry></feed>",
        "xhtml": "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><content type=\"xhtml\">"
            + "<div xmlns=\"http://www.w3.org/1999/xhtml\"><img src=\"a.png\"/></div></content></entry></feed>",
        "rdf": "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" "
            + "xmlns=\"http://purl.org/rss/1.0/\"><item><image>http://host.example/a.gif</image></item></rdf:RDF>",
        "opml": "<opml><body><outline xmlUrl=\"http://host.example/feed\"/></body></opml>",
        "schemes": rss(
            [
                "file:///etc/passwd", "data:image/png;base64,AA", "javascript:1", "//h/a.png", "?a",
                "",
            ].map {
                "<item><enclosure type=\"image/png\" url=\"\($0)\"/></item>"
            }.joined()
        ),
        "controls": rss(
            "<item><title>a&#x1b;[31m&#x9b;1m&#x202e;</title><enclosure url=\"a&#10;.jpg\"/></item>"
        ),
        "images-linked": rss(
            "<item><link>http://host.example/a.jpeg</link><media:thumbnail url=\"t.jpg\"/></item>"
                + "<item><description><![CDATA[<a href=b.jpg><img src=1x1.gif data-src=c.jpg>"
                + "<noscript><img src=c.jpg></noscript></a>]]></description></item>"
                + "<item><description>&lt;a href=\"d.jpeg\"&gt;d&lt;/a&gt;</description></item>"
        ),
        "images-lazy": rss(
            "<item><description><![CDATA[<img src=data:, data-lazy-src=a.jpg data-small=b.jpg>"
                + "<amp-img src=c.jpg></amp-img><div style=\"background-image: url('d.jpg')\">"
                + "<img lazyload=e.jpg data-srcset=\"f.jpg 9w\">]]></description></item>"
        ),
        "bases-nested": "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:base=\"http://h/\">"
            + "<entry xml:base=\"a/\"><content type=\"xhtml\" xml:base=\"../b/\"><div "
            + "xmlns=\"http://www.w3.org/1999/xhtml\" xml:base=\"//g\"><base href=\"/c/\"/>"
            + "<img src=\"a.png\" xml:base=\"x:\"/></div></content></entry></feed>",
        "opml-damaged": "<opml><body><outline text=\"a < b\" XMLURL=\"http://h/1\"/><outline "
            + "title=\"\u{1}\" url=\"http://h/2\"/><outline xmlUrl=\"http://h/1\"><outline",
        "encoding-unknown": "<?xml version=\"1.0\" encoding=\"x-none\"?>" + item,
    ]

    private static let json: KeyValuePairs<String, String> = [
        "jsonfeed":
            #"{"version":"https://jsonfeed.org/version/1.1","items":[{"title":"A","image":"a.jpg"},"#
            + #"{"content_html":"<img src=b.png>","attachments":[{"url":"c.jpg"}],"date_published":"2024-05-01"}]}"#,
        "jsonfeed-of-other-kinds":
            #"{"version":"https://jsonfeed.org/version/1","items":[7,{"image":{},"attachments":[null]}]}"#,
        "statuses": #"[{"media_attachments":[{"type":"image","url":"http://host.example/a.jpg"},"#
            + #"{"type":"gifv","preview_url":"b.png"}],"account":{"acct":"x"},"content":"<p>A</p>"}]"#,
        "posts": #"{"feed":[{"post":{"record":{"$type":"app.bsky.feed.post","text":"A"},"#
            + #""embed":{"images":[{"fullsize":"http://host.example/a","thumb":"t","alt":""}]}}}]}"#,
        "gallery": #"{"feed":[{"post":{"record":{"$type":"app.bsky.feed.post"},"embed":"#
            + #"{"$type":"app.bsky.embed.gallery#view","items":[{"thumbnail":"http:\/\/h\/t","fullsize":"#
            + #""http:\/\/h\/f","alt":"A"},{"fullsize":[]},{"thumbnail":"b"}]}}}]}"#,
        "cut": #"{"version":"https://jsonfeed.org/version/1.1","items":[{"image":"a.jpg"},"#,
    ]
}
