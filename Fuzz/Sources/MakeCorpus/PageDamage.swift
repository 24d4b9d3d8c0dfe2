/// Possible damage of pages, listings, rules for programs and `Link` fields.
enum PageDamage {
    static let files: [DamagedFile] = texts.map { ("page-\($0.key)", Array($0.value.utf8)) }

    private static let head = "<!DOCTYPE html><title>A page</title>"

    private static let texts: KeyValuePairs<String, String> = [
        "in-order.html": head
            + "<base href=\"/x/\"><img src=a.jpg alt=A width=5><a href=b.jpg><img src=c.jpg></a>"
            + "<figure><img src=d.jpg><figcaption>D</figcaption></figure><a rel=next href=2>2</a>",
        "cut.html": head + "<a href=a.jpg><img src=\"b.jp",
        "sources.html": head
            + "<picture><source media=x srcset=a.jpg>"
            + "<source type=image/png srcset='b.png 1w, c.png 2w'>"
            + "<img src=d.jpg srcset='e.jpg 1.5x, f.jpg 2x' width=10></picture>",
        "srcset-damaged.html": head
            + "<img srcset=',,a.jpg 1w 1x,b.jpg (1w,c.jpg -1w, d.jpg 1e9x, data:,e 1w'>",
        "lazy.html": head + "<img src=1x1.gif data-src=a.jpg data-thumb=b.jpg data-x=c.jpg>"
            + "<amp-img src=d.jpg></amp-img><div style='background: url(\"e.jpg\") no-repeat'>"
            + "<p data-bg=f.jpg><img lazy-src='{g}.jpg'>",
        "repeated.html": head
            + String(repeating: "<img src=lazy.gif data-original=a.jpg><img src=i.png>", count: 3),
        "twins.html": head + "<img src=1x1.gif><noscript><img src=a.jpg></noscript>"
            + "<a href=b.jpg><img src=data:,><noscript><img src=c.jpg></noscript></a><noscript>"
            + "<noscript><img src=d.jpg></noscript><img src=e.jpg>",
        "held-by-the-page.html": head + "<img src=data:,a><a href=data:,b.jpg>b</a>"
            + "<img data-src=c.jpg>",
        "ends-crossed.html": head + "<figure><a href=a.jpg><picture></figure></a></picture>"
            + "</template>",
        "dots.html": head + "<img src=a.gif width=1><img src=b.gif height=0px>"
            + "<img src=c.gif width=99999999999>",
        "schemes.html": head + "<img src=file:///a.png><img src=javascript:a>"
            + "<base href=file:///etc/>",
        "listing.html": "<title>Index of /</title><a href=../>..</a><img src=i.png>"
            + "<a href=b10.png>b</a>",
        "feeds.html": "<html><link rel=alternate type=application/rss+xml href=/feed>",
        "deep.html": String(repeating: "<div><a href=a.jpg>", count: 300),
        "encoding.html": "<meta charset=utf-16><img src=a.jpg alt=\u{FC}>",
        "bucket.xml": "<?xml version='1.0'?><ListBucketResult><Contents><Key>a.jpg</Key></Contents>"
            + "<IsTruncated>true</IsTruncated><NextContinuationToken>t"
            + "</NextContinuationToken></ListBucketResult>",
        "bucket-cut.xml": "<ListBucketResult><EncodingType>url</EncodingType><Contents><Key>%2",
        "robots.txt": "User-agent: *\nDisallow: /*a*$\nAllow: /%61\nCrawl-delay: 1e999\n",
        "link.txt": "<a>; rel=\"next\", <b;c,d>; title=\"\\\",\"; rel=next",
    ]
}
