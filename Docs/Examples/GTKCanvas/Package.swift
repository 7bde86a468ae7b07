// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that GTK never becomes a dependency of those who draw.
//
// SwiftPM identifies local packages by the names of their folders, not by those given here: it works
// in a checkout of any name but `GTKLabel` and `GTKCanvas`.
let products: [Target.Dependency] = [
    "AsyncLayers", "CairoRendering", "TiledLayers",
].map { .product(name: $0, package: "swift-queue-pools") }
let package = Package(
    name: "GTKCanvas",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-queue-pools", path: "../../..", traits: [.defaults, "Cairo"]),
        .package(path: "../GTKLabel"),
    ],
    targets: [
        .systemLibrary(name: "CEpoxy", pkgConfig: "epoxy", providers: [.apt(["libepoxy-dev"])]),
        .executableTarget(
            name: "GTKCanvas",
            dependencies: products + [
                "CEpoxy",
                .product(name: "CGTK4", package: "GTKLabel"),
                .product(name: "GTKLayers", package: "GTKLabel"),
                .product(name: "MainLoopBridges", package: "swift-queue-pools"),
            ]),
        .testTarget(name: "GTKCanvasTests", dependencies: products + ["GTKCanvas"]),
    ],
    swiftLanguageModes: [.v6]
)

// Set by the gate.
let failsOnWarnings = Context.environment["QUEUE_POOLS_GATE"]?.contains("warnings") ?? false
for target in package.targets where target.type != .system && failsOnWarnings {
    target.swiftSettings = [.treatAllWarnings(as: .error)]
}
