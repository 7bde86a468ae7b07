// swift-tools-version: 6.2

import PackageDescription

/// `EMBEDDING_TRAITS=NUMA,Cairo` asks for these traits of the package, `EMBEDDING_TRAITS=` (set, and empty)
/// for none, hence without libnuma; not set, for its defaults. A package of your own writes just one of
/// these.
let traits: Set<Package.Dependency.Trait> =
    Context.environment["EMBEDDING_TRAITS"].map { names in
        Set(names.split(separator: ",").map { .trait(name: String($0)) })
    } ?? [.defaults]

/// `EMBEDDING_LINK=-static-executable` links the program that way, if it is compiled for
/// `--static-swift-stdlib`.
let link = Context.environment["EMBEDDING_LINK"]

// SwiftPM identifies local packages by the names of their folders, not by those given here: it works
// in a checkout of any name but `Embedding`, this folder's own.
let package = Package(
    name: "Embedding",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    dependencies: [.package(name: "swift-queue-pools", path: "../..", traits: traits)],
    targets: [
        .executableTarget(
            name: "StaticProgram",
            dependencies: [
                .product(name: "AsyncLayers", package: "swift-queue-pools"),
                .product(name: "BitmapRendering", package: "swift-queue-pools"),
                .product(name: "MainLoopBridges", package: "swift-queue-pools"),
                .product(name: "QueuePools", package: "swift-queue-pools"),
                .product(name: "QueuePoolsTopology", package: "swift-queue-pools"),
            ],
            linkerSettings: link.map { [.unsafeFlags([$0])] } ?? []),
        .testTarget(
            name: "EmbeddingTests",
            dependencies: [
                .product(name: "AsyncLayers", package: "swift-queue-pools"),
                .product(name: "BitmapRendering", package: "swift-queue-pools"),
                .product(name: "ManualPools", package: "swift-queue-pools"),
                .product(name: "QueuePools", package: "swift-queue-pools"),
                .product(name: "QueuePoolsSentinels", package: "swift-queue-pools"),
                .product(name: "QueuePoolsSimulations", package: "swift-queue-pools"),
                .product(name: "QueuePoolsTopology", package: "swift-queue-pools"),
                .product(name: "QueuePoolsTransactions", package: "swift-queue-pools"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// Set by the gate.
let failsOnWarnings = Context.environment["QUEUE_POOLS_GATE"]?.contains("warnings") ?? false
for target in package.targets where target.type != .system && failsOnWarnings {
    target.swiftSettings = [.treatAllWarnings(as: .error)]
}
