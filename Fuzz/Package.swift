// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]
let contracts = Target.Dependency.product(name: "Contracts", package: "TermGallery")
let decoders = Target.Dependency.product(name: "Decoders", package: "TermGallery")

// Built only by `run.sh`, with the compiler's flags for coverage and the library to link.
let package = Package(
    name: "Fuzz",
    dependencies: [
        .package(
            name: "TermGallery",
            path: "..",
            traits: ["GIF", "WebP", "HEIF", "JPEGXL", "TIFF", "SVG"]
        )
    ],
    targets: [
        // libFuzzer is written in C++.
        .target(name: "CLibFuzzer", linkerSettings: [.linkedLibrary("stdc++")]),
        .executableTarget(
            name: "Fuzz",
            dependencies: ["CLibFuzzer", contracts],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "MakeCorpus",
            dependencies: [contracts, decoders],
            swiftSettings: strict
        ),
    ],
    swiftLanguageModes: [.v6]
)
