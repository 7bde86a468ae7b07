// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that swift-metrics never becomes a dependency of those who draw.
//
// SwiftPM identifies local packages by the names of their folders, not by those given here: it works
// in a checkout of any name but `SwiftMetrics`, this folder's own, and those of the packages that use it.
let package = Package(
    name: "SwiftMetricsExample",
    platforms: [.macOS(.v15)],
    products: [.library(name: "SwiftMetricsForwarding", targets: ["SwiftMetricsForwarding"])],
    dependencies: [
        .package(name: "swift-queue-pools", path: "../../.."),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
    ],
    targets: [
        .target(
            name: "SwiftMetricsForwarding",
            dependencies: [
                .product(name: "AsyncLayers", package: "swift-queue-pools"),
                .product(name: "QueuePools", package: "swift-queue-pools"),
                .product(name: "Metrics", package: "swift-metrics"),
            ]),
        .executableTarget(
            name: "SwiftMetricsExample",
            dependencies: [
                "SwiftMetricsForwarding",
                .product(name: "AsyncLayers", package: "swift-queue-pools"),
                .product(name: "BitmapRendering", package: "swift-queue-pools"),
                .product(name: "QueuePools", package: "swift-queue-pools"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ]),
        .testTarget(
            name: "SwiftMetricsForwardingTests",
            dependencies: [
                "SwiftMetricsForwarding",
                .product(name: "AsyncLayers", package: "swift-queue-pools"),
                .product(name: "BitmapRendering", package: "swift-queue-pools"),
                .product(name: "QueuePools", package: "swift-queue-pools"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// Set by the gate.
let failsOnWarnings = Context.environment["QUEUE_POOLS_GATE"]?.contains("warnings") ?? false
for target in package.targets where target.type != .system && failsOnWarnings {
    target.swiftSettings = [.treatAllWarnings(as: .error)]
}
