// swift-tools-version: 6.2

import PackageDescription

// A package of its own: what the examples share is no part of the library.
//
// SwiftPM identifies local packages by the names of their folders, not by those given here: it works
// in a checkout of any name but `FeedKit`, this folder's own, and those of the packages that use it.
let package = Package(
    name: "FeedKit",
    platforms: [.macOS(.v15)],
    products: [.library(name: "FeedKit", targets: ["FeedKit"])],
    dependencies: [.package(name: "swift-queue-pools", path: "../../..")],
    targets: [
        .target(
            name: "FeedKit",
            dependencies: [
                .product(name: "AsyncLayers", package: "swift-queue-pools"),
                .product(name: "QueuePools", package: "swift-queue-pools"),
                .product(name: "ScrollScheduling", package: "swift-queue-pools"),
                .product(name: "QueuePoolsSentinels", package: "swift-queue-pools"),
                .product(name: "QueuePoolsTransactions", package: "swift-queue-pools"),
            ]),
        .testTarget(
            name: "FeedKitTests",
            dependencies: [
                "FeedKit",
                .product(name: "AsyncLayers", package: "swift-queue-pools"),
                .product(name: "BitmapRendering", package: "swift-queue-pools"),
                .product(name: "ScrollScheduling", package: "swift-queue-pools"),
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
