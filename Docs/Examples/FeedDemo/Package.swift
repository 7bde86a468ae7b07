// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that what a demonstration needs never becomes a dependency of the library.
//
// SwiftPM identifies local packages by the names of their folders, not by those given here: it works
// in a checkout of any name but `FeedDemo` and `FeedKit`.

/// Draws with Cairo and Pango, only while the trait `Cairo` is on. It turns on the library's trait of that
/// name, which adds libcairo, libpango, libpng and libjpeg to what the program links.
let cairoRendering = Target.Dependency.product(
    name: "CairoRendering", package: "swift-queue-pools", condition: .when(traits: ["Cairo"]))

let package = Package(
    name: "FeedDemo",
    platforms: [.macOS(.v15)],
    traits: [.trait(name: "Cairo", description: "Draw the feed with Cairo and Pango as well.")],
    dependencies: [
        .package(
            name: "swift-queue-pools", path: "../../..",
            traits: [.defaults, .trait(name: "Cairo", condition: .when(traits: ["Cairo"]))]),
        .package(path: "../FeedKit"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    ],
    targets: [
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .executableTarget(
            name: "FeedDemo",
            dependencies: [
                "CPNG", "FeedKit", cairoRendering,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncLayers", package: "swift-queue-pools"),
                .product(name: "BitmapRendering", package: "swift-queue-pools"),
                .product(name: "QueuePools", package: "swift-queue-pools"),
                .product(name: "ScrollScheduling", package: "swift-queue-pools"),
                .product(name: "QueuePoolsTopology", package: "swift-queue-pools"),
            ]),
        .testTarget(
            name: "FeedDemoTests",
            dependencies: [
                "CPNG", "FeedDemo", "FeedKit", cairoRendering,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncLayers", package: "swift-queue-pools"),
                .product(name: "BitmapRendering", package: "swift-queue-pools"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// Set by the gate.
let failsOnWarnings = Context.environment["QUEUE_POOLS_GATE"]?.contains("warnings") ?? false
for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    if failsOnWarnings { target.swiftSettings! += [.treatAllWarnings(as: .error)] }
}
