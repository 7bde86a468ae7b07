// swift-tools-version: 6.2

import PackageDescription

// Needs Cairo and Pango, as the trait `Cairo` does. A package of its own, so that what measurements need
// never becomes a dependency of those who draw.
//
// SwiftPM tells local packages apart by the names of their folders, whatever they are called here: it works
// in a checkout of any name but `Benchmarks`, this folder's own.

/// The peers have one version each, so that figures of different days are of the same programs.
let swiftNIOVersion: Version = "2.101.2"

/// Where oneTBB is installed: a folder with `include` and `lib`. Without it PoolBenchmarks says so and leaves
/// that contender out. PyPI has newer versions than the distributions:
///
///     python3 -m venv .build/onetbb && .build/onetbb/bin/pip install tbb-devel==2023.2.0
///     ONETBB_PREFIX=$PWD/.build/onetbb swift run -c release --package-path Tests/Benchmarks PoolBenchmarks
let oneTBBPrefix = Context.environment["ONETBB_PREFIX"].flatMap { $0.isEmpty ? nil : $0 }

/// Set by the gate. Not always on: a later compiler's new warnings should not prevent a measurement.
let failsOnWarnings = Context.environment["QUEUE_POOLS_GATE"]?.contains("warnings") ?? false

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-queue-pools", path: "../..", traits: [.defaults, "Cairo"]),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: swiftNIOVersion),
    ],
    targets: [
        .executableTarget(name: "QueueTargets"),
        .executableTarget(name: "TierPriorities"),
        .executableTarget(
            name: "ShareBesideOthers",
            dependencies: [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "QueuePools", package: "swift-queue-pools"),
            ]),

        .target(
            name: "CMeasuring", cSettings: [.define("SWIFT_NIO_VERSION", to: "\"\(swiftNIOVersion)\"")]),
        .target(
            name: "COneTBB", dependencies: ["CMeasuring"],
            cxxSettings: oneTBBPrefix.map { prefix in
                [.define("HAVE_ONETBB"), .unsafeFlags(["-isystem", "\(prefix)/include"])]
            },
            linkerSettings: oneTBBPrefix.map { prefix in
                [
                    .linkedLibrary("tbb"),
                    .unsafeFlags(["-L\(prefix)/lib", "-Xlinker", "-rpath", "-Xlinker", "\(prefix)/lib"]),
                ]
            }),
        .target(
            name: "BenchmarkHarness",
            dependencies: [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "QueuePools", package: "swift-queue-pools"),
                .product(name: "QueuePoolsTopology", package: "swift-queue-pools"),
            ]),
        .executableTarget(
            name: "PoolBenchmarks",
            dependencies: [
                "BenchmarkHarness", "CMeasuring", "COneTBB",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "QueuePools", package: "swift-queue-pools"),
                .product(name: "QueuePoolsSentinels", package: "swift-queue-pools"),
            ]),
        .executableTarget(
            name: "LayerBenchmarks",
            dependencies: [
                "BenchmarkHarness", "CMeasuring",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncLayers", package: "swift-queue-pools"),
                .product(name: "BitmapRendering", package: "swift-queue-pools"),
                .product(name: "CairoRendering", package: "swift-queue-pools"),
                .product(name: "QueuePools", package: "swift-queue-pools"),
                .product(name: "ScrollScheduling", package: "swift-queue-pools"),
                .product(name: "QueuePoolsSimulations", package: "swift-queue-pools"),
                .product(name: "TiledLayers", package: "swift-queue-pools"),
                .product(name: "QueuePoolsTransactions", package: "swift-queue-pools"),
            ]),
        .testTarget(name: "BenchmarkHarnessTests", dependencies: ["BenchmarkHarness"]),
        .testTarget(
            name: "LayerBenchmarksTests", dependencies: ["BenchmarkHarness", "CMeasuring", "LayerBenchmarks"]),
        .testTarget(name: "PoolBenchmarksTests", dependencies: ["BenchmarkHarness", "PoolBenchmarks"]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

for target in package.targets where failsOnWarnings {
    target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
    target.cSettings = (target.cSettings ?? []) + [.treatAllWarnings(as: .error)]
    target.cxxSettings = (target.cxxSettings ?? []) + [.treatAllWarnings(as: .error)]
}
