// swift-tools-version: 6.2

import PackageDescription

// `EMBEDDING_TRAITS=` (set, and empty) asks for the package without its default traits, hence without
// libnuma. A package of your own writes just one of the two: with the traits left out, or with `traits: []`.
let withoutTraits = Context.environment["EMBEDDING_TRAITS"] == ""

// SwiftPM tells local packages apart by the names of their folders, whatever they are called here: it works
// in a checkout of any name but `Embedding`, this folder's own.
let package = Package(
    name: "Embedding",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    dependencies: [
        withoutTraits
            ? .package(name: "swift-queue-pools", path: "../..", traits: [])
            : .package(name: "swift-queue-pools", path: "../..")
    ],
    targets: [
        .testTarget(
            name: "EmbeddingTests",
            dependencies: [
                .product(name: "AsyncLayers", package: "swift-queue-pools"),
                .product(name: "BitmapRendering", package: "swift-queue-pools"),
                .product(name: "QueuePools", package: "swift-queue-pools"),
                .product(name: "Sentinels", package: "swift-queue-pools"),
                .product(name: "Simulations", package: "swift-queue-pools"),
                .product(name: "Topology", package: "swift-queue-pools"),
                .product(name: "Transactions", package: "swift-queue-pools"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
