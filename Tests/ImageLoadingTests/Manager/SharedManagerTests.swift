import Testing

@testable import ImageLoading

struct SharedManagerTests {
    private var configuration: ImageManagerConfiguration {
        var configuration = ImageManagerConfiguration()
        configuration.disk = nil
        configuration.memoryByteLimit = 4_242
        return configuration
    }

    @Test func `the shared manager has the configuration it was given before its first use`() {
        let shared = SharedManager()

        #expect(shared.configure(configuration) == nil)
        #expect(shared.manager.memoryByteLimit == 4_242)
        #expect(shared.manager === shared.manager)
    }

    @Test func `the shared manager is configured once`() {
        let shared = SharedManager()

        #expect(shared.configure(configuration) == nil)
        #expect(shared.configure(ImageManagerConfiguration()) == .configuredBefore)
        #expect(shared.manager.memoryByteLimit == 4_242)
    }

    @Test func `a shared manager that is in use is not configured`() async {
        await #expect(processExitsWith: .failure) {
            ImageManager.configureShared(ImageManagerConfiguration())
            withExtendedLifetime(ImageManager.shared) {}
            ImageManager.configureShared(ImageManagerConfiguration())
        }

        let shared = SharedManager()
        #expect(shared.configure(configuration) == nil)
        withExtendedLifetime(shared.manager) {}
        #expect(shared.configure(configuration) == .usedBefore)
    }
}
