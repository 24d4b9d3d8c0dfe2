import Glibc

/// The power function, for tests that import nothing else of the C library.
enum Power {
    static func of(_ value: Double, _ exponent: Double) -> Double { pow(value, exponent) }
}
