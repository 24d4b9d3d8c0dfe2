import ImageLoading

extension CurlTransportConfiguration {
    /// For servers that are meant to be silent, and connections to lie idle, for as long as the
    /// test likes.
    static var patient: Self {
        var configuration = Self()
        configuration.idleTimeout = .seconds(3_600)
        configuration.maximumIdleConnectionAge = .seconds(3_600)
        return configuration
    }
}
