// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that GTK never becomes a dependency of those who draw.
//
// SwiftPM identifies local packages by the names of their folders, not by those given here: it works
// in a checkout of any name but `GTKLabel`, this folder's own.
let package = Package(
    name: "GTKLabelExample",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "CGTK4", targets: ["CGTK4"]), .library(name: "GTKLayers", targets: ["GTKLayers"]),
    ],
    dependencies: [
        .package(name: "swift-queue-pools", path: "../../..", traits: [.defaults, "Cairo"])
    ],
    targets: [
        .systemLibrary(name: "CGTK4", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
        .target(
            name: "GTKLayers",
            dependencies: [
                "CGTK4",
                .product(name: "AsyncLayers", package: "swift-queue-pools"),
                .product(name: "CairoRendering", package: "swift-queue-pools"),
            ]),
        .executableTarget(
            name: "GTKLabel",
            dependencies: [
                "CGTK4", "GTKLayers",
                .product(name: "AsyncLayers", package: "swift-queue-pools"),
                .product(name: "CairoRendering", package: "swift-queue-pools"),
                .product(name: "MainLoopBridges", package: "swift-queue-pools"),
            ]),
        .executableTarget(
            name: "GLibProbe",
            dependencies: [
                "CGTK4",
                .product(name: "AsyncLayers", package: "swift-queue-pools"),
                .product(name: "CairoRendering", package: "swift-queue-pools"),
                .product(name: "MainLoopBridges", package: "swift-queue-pools"),
                .product(name: "QueuePoolsTransactions", package: "swift-queue-pools"),
            ],
            path: "Tests/GLibProbe"),
        .executableTarget(
            name: "LabelProbe",
            dependencies: [
                "CGTK4", "GTKLayers",
                .product(name: "AsyncLayers", package: "swift-queue-pools"),
                .product(name: "CairoRendering", package: "swift-queue-pools"),
                .product(name: "MainLoopBridges", package: "swift-queue-pools"),
            ],
            path: "Tests/LabelProbe"),
        .testTarget(
            name: "GTKLabelTests",
            dependencies: [
                "GLibProbe", "GTKLabel", "LabelProbe",
                .product(name: "CairoRendering", package: "swift-queue-pools"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// Set by the gate.
let failsOnWarnings = Context.environment["QUEUE_POOLS_GATE"]?.contains("warnings") ?? false
for target in package.targets where target.type != .system && failsOnWarnings {
    target.swiftSettings = [.treatAllWarnings(as: .error)]
}
