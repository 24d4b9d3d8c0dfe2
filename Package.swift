// swift-tools-version: 6.2
import PackageDescription

/// The house rules, applied to every Swift target.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The house rules for the tests, which are never optimized: their many macros take the compiler
/// three times as long with optimization, which is more than the optimized tests save.
///
/// The Makefile optimizes everything else and sets this variable, because no package could depend
/// on a package that always sets unsafe flags.
let tests: [SwiftSetting] =
    Context.environment["OPTIMIZED_TESTS"] == nil
    ? strict
    : strict + [.unsafeFlags(["-Xfrontend", "-Onone"])]

let argumentParser = Target.Dependency.product(
    name: "ArgumentParser",
    package: "swift-argument-parser"
)
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let bitCollections = Target.Dependency.product(
    name: "BitCollections",
    package: "swift-collections"
)
let collections: [Target.Dependency] = [
    .product(name: "DequeModule", package: "swift-collections"),
    .product(name: "HeapModule", package: "swift-collections"),
    .product(name: "OrderedCollections", package: "swift-collections"),
]
let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOHTTP1", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
    .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
    // No target imports these two. SwiftNIO accepts many versions of them, and SwiftPM warns about
    // an exact version of a package that no target depends on.
    .product(name: "Atomics", package: "swift-atomics"),
    .product(name: "SystemPackage", package: "swift-system"),
]
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")

/// The test targets.
///
/// `TEST_TARGETS`, a list of names separated by blanks, selects some of them. With a filter,
/// `Scripts/test.sh` compiles only the targets that the filter names. Under a sanitizer it compiles
/// only the targets whose modules share state between threads, or read memory through pointers.
let testTargets: [Target] = [
    .testTarget(
        name: "DecodersTests",
        dependencies: ["Decoders", "DecoderContracts", "PropertyRuns"],
        exclude: ["Fixtures"],
        swiftSettings: tests
    ),
    .testTarget(
        name: "TerminalUITests",
        dependencies: [
            "TerminalUI", "SystemSupport", "Decoders", "ImageLoadingTesting", "VirtualTerminal",
            "PropertyRuns", "CNCurses",
        ],
        exclude: ["Fixtures"],
        swiftSettings: tests
    ),
    .testTarget(
        name: "FeedsTests",
        dependencies: [
            "Feeds", "ImageLoading", "ImageLoadingTesting", "SystemSupport", "Decoders",
            "FeedContracts", "FeedHarness", "VirtualTerminal", "PropertyRuns",
        ],
        exclude: ["Documents/Fixtures", "Fixtures"],
        swiftSettings: tests
    ),
    .testTarget(
        name: "GalleryCoreTests",
        dependencies: [
            "GalleryCore", "Feeds", "TerminalUI", "ImageLoading", "ImageLoadingTesting",
            "SystemSupport", "Decoders", "DecoderContracts", "FeedContracts", "VirtualTerminal",
            "PropertyRuns", bitCollections,
        ],
        exclude: ["Fixtures"],
        swiftSettings: tests
    ),
    .testTarget(
        name: "ImageLoadingTests",
        dependencies: [
            "ImageLoading", "ImageLoadingTesting", "SystemSupport", "Decoders", "CrashingHelper",
            "PropertyRuns",
        ],
        exclude: ["URLs/Fixtures"],
        swiftSettings: tests
    ),
    .testTarget(
        name: "DemoServerTests",
        dependencies: ["DemoServer", "Decoders", nioEmbedded] + nio,
        swiftSettings: tests
    ),
    .testTarget(
        name: "TermGalleryTests",
        dependencies: [
            "TermGallery", "GalleryCore", "Feeds", "FeedHarness", "ImageLoading", "DemoServer",
            "ImageLoadingTesting", "SystemSupport",
            "Decoders", "FeedContracts", "TerminalUI", "VirtualTerminal", "PropertyRuns",
            argumentParser, logging,
        ],
        swiftSettings: tests
    ),
    .testTarget(
        name: "EndToEndTests",
        dependencies: [
            "TermGallery", "GalleryCore", "Feeds", "TerminalUI", "SystemSupport", "DemoServer",
            "Decoders",
            "VirtualTerminal", "PropertyRuns", "CPseudoTerminal", "CrashingHelper",
        ],
        swiftSettings: tests
    ),
]

let chosenTests: [Target] = {
    guard let names = Context.environment["TEST_TARGETS"] else { return testTargets }
    let chosen = names.split(separator: " ").map(String.init)
    return testTargets.filter { chosen.contains($0.name) }
}()

let package = Package(
    name: "TermGallery",
    products: [
        .executable(name: "termgallery", targets: ["TermGallery"]),
        .library(name: "ImageLoading", targets: ["ImageLoading"]),
        .library(name: "ImageLoadingTesting", targets: ["ImageLoadingTesting"]),
        .library(name: "Decoders", targets: ["Decoders"]),
        // For the benchmarks.
        .library(name: "DemoServer", targets: ["DemoServer"]),
        .library(name: "Feeds", targets: ["Feeds"]),
        .library(name: "TerminalUI", targets: ["TerminalUI"]),
        // For the fuzzers.
        .library(name: "Contracts", targets: ["DecoderContracts", "FeedContracts"]),
    ],
    // Formats whose libraries are loaded with the first file that needs them. Without its trait, a
    // format is left out, and neither its library nor the headers are needed. The first three, with
    // JPEG and PNG, are the formats of modern feeds.
    traits: [
        .default(enabledTraits: ["GIF", "WebP", "HEIF"]),
        .trait(name: "GIF", description: "GIF, by giflib."),
        .trait(name: "WebP", description: "WebP, by libwebp."),
        .trait(name: "HEIF", description: "AVIF and HEIC, by libheif."),
        .trait(name: "JPEGXL", description: "JPEG XL, by libjxl."),
        .trait(name: "TIFF", description: "TIFF, by libtiff."),
        .trait(name: "SVG", description: "SVG, by librsvg."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        // Needed by SwiftNIO.
        .package(url: "https://github.com/apple/swift-atomics", exact: "1.3.0"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
    ],
    targets: [
        // C code is isolated: each module is imported by exactly one Swift target, CLinux by
        // four (`make lint`).
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "COpenSSL", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CNCurses", providers: [.apt(["libncurses-dev"])]),
        .target(
            name: "CImageCodecs",
            cSettings: [
                .define("CIC_GIF", .when(traits: ["GIF"])),
                .define("CIC_WEBP", .when(traits: ["WebP"])),
                .define("CIC_HEIF", .when(traits: ["HEIF"])),
                .define("CIC_JPEG_XL", .when(traits: ["JPEGXL"])),
                .define("CIC_TIFF", .when(traits: ["TIFF"])),
                .define("CIC_SVG", .when(traits: ["SVG"])),
            ],
            linkerSettings: ["png", "jpeg", "deflate", "z"].map { .linkedLibrary($0) }
        ),
        .target(name: "CFeedLibraries"),
        .target(name: "CSandbox"),
        .target(name: "CTerminalRestore"),

        .target(name: "Decoders", dependencies: ["CImageCodecs"], swiftSettings: strict),
        .target(name: "SystemSupport", dependencies: ["CLinux"], swiftSettings: strict),
        .target(
            name: "TerminalUI",
            dependencies: ["Decoders", "SystemSupport", "CLinux", "CNCurses", "CTerminalRestore"],
            swiftSettings: strict
        ),
        .target(
            name: "ImageLoading",
            dependencies: [
                "Decoders", "SystemSupport", "CCurl", "COpenSSL", "CZlib", "CLinux", "CSandbox",
                logging,
            ] + collections,
            swiftSettings: strict
        ),
        .target(
            name: "ImageLoadingTesting",
            dependencies: ["ImageLoading", "SystemSupport"],
            swiftSettings: strict
        ),
        .target(
            name: "Feeds",
            dependencies: [
                "CFeedLibraries", "CZlib", "ImageLoading", "SystemSupport", "Decoders",
                bitCollections,
            ] + collections,
            swiftSettings: strict
        ),
        .target(
            name: "GalleryCore",
            dependencies: [
                "Feeds", "ImageLoading", "SystemSupport", "Decoders", "TerminalUI",
                bitCollections,
            ] + collections,
            swiftSettings: strict
        ),
        .target(name: "DemoServer", dependencies: ["Decoders"] + nio, swiftSettings: strict),
        .executableTarget(
            name: "TermGallery",
            dependencies: [
                "GalleryCore", "Feeds", "ImageLoading", "SystemSupport", "Decoders", "DemoServer",
                "TerminalUI", "CLinux", argumentParser, logging,
            ],
            swiftSettings: strict
        ),

        .target(
            name: "PropertyRuns",
            path: "Tests/Support/PropertyRuns",
            swiftSettings: strict
        ),
        .target(name: "CPseudoTerminal", path: "Tests/Support/CPseudoTerminal"),
        .target(
            name: "VirtualTerminal",
            dependencies: ["TerminalUI", "SystemSupport", "Decoders"],
            path: "Tests/Support/VirtualTerminal",
            swiftSettings: strict
        ),
        .target(
            name: "FeedHarness",
            dependencies: [
                "Feeds", "ImageLoading", "ImageLoadingTesting", "SystemSupport", "Decoders",
                logging,
            ],
            path: "Tests/Support/FeedHarness",
            swiftSettings: strict
        ),
        .target(
            name: "DecoderContracts",
            dependencies: ["Decoders"],
            path: "Tests/Support/DecoderContracts",
            swiftSettings: strict
        ),
        .target(
            name: "FeedContracts",
            dependencies: ["DecoderContracts", "Feeds", "TerminalUI", "ImageLoading"],
            path: "Tests/Support/FeedContracts",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "CrashingHelper",
            dependencies: ["Decoders", "ImageLoading", "SystemSupport"],
            path: "Tests/Support/CrashingHelper",
            swiftSettings: strict
        ),
    ] + chosenTests,
    swiftLanguageModes: [.v6]
)
