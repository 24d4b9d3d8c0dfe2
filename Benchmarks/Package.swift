// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let engine: [Target.Dependency] = [
    .product(name: "ImageLoading", package: "TermGallery"),
    .product(name: "Decoders", package: "TermGallery"),
]

let terminalUI = Target.Dependency.product(name: "TerminalUI", package: "TermGallery")

/// Creates the executable target of a benchmark; `run.sh` runs the named ones, or all.
func benchmark(_ name: String, _ more: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: name,
        dependencies: ["Measuring"] + engine + more,
        swiftSettings: strict
    )
}

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "TermGallery", path: "..")],
    targets: [
        .target(name: "Measuring", dependencies: engine, swiftSettings: strict),
        .executableTarget(name: "ChildMeter"),
        .target(name: "Peers", dependencies: ["ChildMeter"], swiftSettings: strict),
        .target(name: "PrintedArt", swiftSettings: strict),
        benchmark("MemoryCacheBench"),
        benchmark("ColdLoadBench"),
        benchmark("IsolationBench"),
        benchmark("DecodeBench"),
        benchmark("PeerBench", ["Peers"]),
        benchmark("QualityBench", ["Peers", "PrintedArt"]),
        benchmark("GraphicsBench", ["Peers", terminalUI]),
        benchmark("ScrollBench", [.product(name: "DemoServer", package: "TermGallery")]),
    ],
    swiftLanguageModes: [.v6]
)
