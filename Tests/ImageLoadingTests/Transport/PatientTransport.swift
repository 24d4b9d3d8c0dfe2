import ImageLoading

extension CurlTransportConfiguration {
    /// For servers that are meant to be silent for as long as the test likes.
    static var patient: Self {
        var configuration = Self()
        configuration.idleTimeout = .seconds(3_600)
        return configuration
    }
}
