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
            ? .package(name: "swift-async-layers", path: "../..", traits: [])
            : .package(name: "swift-async-layers", path: "../..")
    ],
    targets: [
        .testTarget(
            name: "EmbeddingTests",
            dependencies: [
                .product(name: "AsyncLayers", package: "swift-async-layers"),
                .product(name: "BitmapRendering", package: "swift-async-layers"),
                .product(name: "QueuePools", package: "swift-async-layers"),
                .product(name: "Sentinels", package: "swift-async-layers"),
                .product(name: "Simulations", package: "swift-async-layers"),
                .product(name: "Topology", package: "swift-async-layers"),
                .product(name: "Transactions", package: "swift-async-layers"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
