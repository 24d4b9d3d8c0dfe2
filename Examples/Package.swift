// swift-tools-version: 6.2
import PackageDescription

let imageLoading = Target.Dependency.product(name: "ImageLoading", package: "TermGallery")

let package = Package(
    name: "Examples",
    dependencies: [
        .package(name: "TermGallery", path: ".."),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    ],
    targets: [
        .executableTarget(
            name: "ThumbnailServer",
            dependencies: [
                imageLoading,
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .executableTarget(name: "ContactSheet", dependencies: [imageLoading]),
        .executableTarget(
            name: "ImageViewer",
            dependencies: [
                .product(name: "TerminalUI", package: "TermGallery"),
                .product(name: "Decoders", package: "TermGallery"),
            ]
        ),
        .executableTarget(
            name: "FeedSaver",
            dependencies: [imageLoading, .product(name: "Feeds", package: "TermGallery")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
