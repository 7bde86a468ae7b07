// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that SDL never becomes a dependency of those who draw.
//
// SwiftPM identifies local packages by the names of their folders, not by those given here: it works
// in a checkout of any name but `FeedKit`, `SDLFeed` and `Canvas`.
let products: [Target.Dependency] = [
    "AsyncLayers", "CairoRendering", "TiledLayers",
].map { .product(name: $0, package: "swift-queue-pools") }
let package = Package(
    name: "Canvas",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-queue-pools", path: "../../..", traits: [.defaults, "Cairo"]),
        .package(path: "../FeedKit"),
        .package(path: "../SDLFeed"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    ],
    targets: [
        .executableTarget(
            name: "Canvas",
            dependencies: products + [
                "FeedKit",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "MainLoopBridges", package: "swift-queue-pools"),
                .product(name: "SDLWindows", package: "SDLFeed"),
            ]),
        .testTarget(
            name: "CanvasTests",
            dependencies: products + [
                "Canvas", "FeedKit", .product(name: "SDLWindows", package: "SDLFeed"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// Set by the gate.
let failsOnWarnings = Context.environment["QUEUE_POOLS_GATE"]?.contains("warnings") ?? false
for target in package.targets where target.type != .system && failsOnWarnings {
    target.swiftSettings = [.treatAllWarnings(as: .error)]
}
