import Testing

@testable import ImageLoading

struct DataSourceConfigurationTests {
    private struct Empty: ImageDataSource {}

    @Test(arguments: ["HTTP", "https", "file", "data"])
    func `a source for a scheme that the engine loads itself ends the process`(
        scheme: String
    ) async {
        await #expect(processExitsWith: .failure) { [scheme] in
            var configuration = ImageManagerConfiguration()
            configuration.sources[scheme] = Empty()
        }
    }

    @Test func `schemes of sources are compared in lower case`() {
        var configuration = ImageManagerConfiguration()
        configuration.sources["Shelf"] = Empty()
        #expect(Array(configuration.sources.keys) == ["shelf"])
    }
}
