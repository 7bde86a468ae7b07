// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that SDL never becomes a dependency of those who draw.
//
// SwiftPM identifies local packages by the names of their folders, not by those given here: it works
// in a checkout of any name but `FeedKit` and `SDLFeed`.
let package = Package(
    name: "SDLFeed",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "CSDL2", targets: ["CSDL2"]), .library(name: "SDLWindows", targets: ["SDLWindows"]),
    ],
    dependencies: [
        .package(name: "swift-queue-pools", path: "../../..", traits: [.defaults, "Cairo"]),
        .package(path: "../FeedKit"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    ],
    targets: [
        .systemLibrary(name: "CSDL2", pkgConfig: "sdl2", providers: [.apt(["libsdl2-dev"])]),
        .target(
            name: "SDLWindows",
            dependencies: [
                "CSDL2", "FeedKit",
                .product(name: "AsyncLayers", package: "swift-queue-pools"),
                .product(name: "CairoRendering", package: "swift-queue-pools"),
            ],
            swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")]),
        .executableTarget(
            name: "SDLFeed",
            dependencies: [
                "CSDL2", "FeedKit", "SDLWindows",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncLayers", package: "swift-queue-pools"),
                .product(name: "CairoRendering", package: "swift-queue-pools"),
                .product(name: "MainLoopBridges", package: "swift-queue-pools"),
                .product(name: "QueuePools", package: "swift-queue-pools"),
                .product(name: "ScrollScheduling", package: "swift-queue-pools"),
            ]),
        .testTarget(
            name: "SDLFeedTests",
            dependencies: [
                "CSDL2", "FeedKit", "SDLFeed",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncLayers", package: "swift-queue-pools"),
                .product(name: "CairoRendering", package: "swift-queue-pools"),
                .product(name: "ScrollScheduling", package: "swift-queue-pools"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// Set by the gate.
let failsOnWarnings = Context.environment["QUEUE_POOLS_GATE"]?.contains("warnings") ?? false
for target in package.targets where target.type != .system && failsOnWarnings {
    target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
}
