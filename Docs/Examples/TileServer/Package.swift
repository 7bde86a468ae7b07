// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that a web server never becomes a dependency of those who draw.
//
// SwiftPM identifies local packages by the names of their folders, not by those given here: it works
// in a checkout of any name but `SwiftMetrics` and `TileServer`.
let package = Package(
    name: "TileServerExample",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-queue-pools", path: "../../..", traits: [.defaults, "Cairo"]),
        .package(path: "../SwiftMetrics"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        // Hummingbird's own, named since they are used here too.
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    ],
    targets: [
        .target(
            name: "TileServing",
            dependencies: [
                .product(name: "AsyncLayers", package: "swift-queue-pools"),
                .product(name: "CairoRendering", package: "swift-queue-pools"),
                .product(name: "QueuePools", package: "swift-queue-pools"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SwiftMetricsForwarding", package: "SwiftMetrics"),
            ],
            resources: [.embedInCode("Page/index.html"), .embedInCode("Page/viewer.js")]),
        .executableTarget(
            name: "TileServer",
            dependencies: [
                "TileServing", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(
            name: "TileLoad",
            dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")]),
        .testTarget(
            name: "TileServingTests",
            dependencies: [
                "TileLoad", "TileServer", "TileServing",
                .product(name: "CairoRendering", package: "swift-queue-pools"),
                .product(name: "QueuePools", package: "swift-queue-pools"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// Set by the gate.
let failsOnWarnings = Context.environment["QUEUE_POOLS_GATE"]?.contains("warnings") ?? false
for target in package.targets where target.type != .system && failsOnWarnings {
    target.swiftSettings = [.treatAllWarnings(as: .error)]
}
