package import ImageLoading

/// The URLs of an image with a relative URL that can be resolved against several bases.
package struct AlternativeURLs: Hashable, Sendable {
    /// The URLs, in the order in which they are tried.
    ///
    /// In all images of a feed, the URLs at the same index have the same kind of base. At most
    /// three of the URLs are different.
    package let urls: [String]
    package let group: AlternativeGroup
}

extension FeedItem {
    /// Returns the request for the image, with alternative URLs if its base URL is uncertain.
    package func request(
        targetSize: PixelSize? = nil,
        options: LoadingOptions = [],
        origin: RequestOrigin
    ) -> ImageRequest {
        var request = ImageRequest(
            url: currentURL,
            targetSize: targetSize,
            options: options,
            origin: origin
        )
        request.page = details?.link
        guard let alternatives = details?.alternatives else { return request }
        let index = alternatives.urls.indices.first(where: alternatives.group.mayWork)
        guard let index, index > 0 else {
            request.alternatives = Array(alternatives.urls.dropFirst())
            request.alternativeGroup = alternatives.group
            return request
        }
        request.url = alternatives.urls[index]
        return request
    }
}

extension ImageRequest {
    /// Returns a request for a version of the image that falls back to the image itself.
    package func replaced(by version: PictureVersion) -> ImageRequest {
        var request = self
        request.url = version.url
        request.alternatives = Array(([url] + alternatives).prefix(2))
        request.alternativeGroup = nil
        return request
    }
}
