import Decoders
import ImageLoading
import ImageLoadingTesting
import Testing

/// The defaults that the documentation promises.
struct DefaultsTests {
    // default transfers, default order, default accept
    @Test func `six downloads in parallel, oldest first, of images up to 64 MiB`() {
        let configuration = DownloaderConfiguration()

        #expect(configuration.maximumConcurrentTransfers == 6)
        #expect(configuration.order == .firstInFirstOut)
        #expect(configuration.maximumByteCount == 64 << 20)
        #expect(
            configuration.headers.first { $0.isNamed("Accept") }?.value.contains("image/") == true
        )
    }

    // default timeout
    @Test func `15 seconds without a byte, 10 for the connection, 5 redirects`() {
        let configuration = CurlTransportConfiguration()

        #expect(configuration.idleTimeout == .seconds(15))
        #expect(configuration.connectTimeout == .seconds(10))
        #expect(configuration.maximumRedirects == 5)
    }

    // default cookies
    @Test func `no flags, no cookies, no unverified certificates`() {
        let request = ImageRequest(url: "http://a.example/1.png")

        #expect(request.options == [])
        #expect(request.priority == .high)
        #expect(request.origin == .local)
        #expect(!TransferPolicy().handlesCookies)
        #expect(!TransferPolicy().allowsInvalidCertificates)
    }

    // default memory, default age, default size
    @Test func `memory within its budget, a week and 512 MiB on disk`() {
        let configuration = ImageManagerConfiguration()

        #expect(configuration.memoryByteLimit == MemoryCache.defaultByteLimit())
        #expect((1...256 << 20).contains(configuration.memoryByteLimit))
        #expect(configuration.disk?.maximumAge == .seconds(7 * 24 * 3600))
        #expect(configuration.disk?.byteLimit == 512 << 20)
    }

    // default delivery
    @Test func `news of a load reach the view only if its binding accepts them`() async {
        let harness = ManagerHarness()
        harness.answerEverything()
        let (view, mail) = (RecordingView(), Mail())
        let binding = ImageBinding(id: 1, view: view, manager: harness.manager) { mail.post($0) }

        binding.setImage(with: ImageRequest(url: "http://a.example/1.png"))
        await mail.wait()
        await waitWhile(harness.manager.isRunning)
        let shownBefore = view.shown.count
        while binding.isLoading {
            await mail.wait()
            mail.takeAll().forEach(binding.accept)
        }

        #expect(shownBefore == 1, "the placeholder")
        #expect(view.shown.count == 2)
    }
}
