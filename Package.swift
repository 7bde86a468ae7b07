// swift-tools-version: 6.2

import PackageDescription

/// libnuma, linked only on Linux and only while the trait `NUMA` is on.
let libnuma = Target.Dependency.target(
    name: "CQueuePoolsNUMA", condition: .when(platforms: [.linux], traits: ["NUMA"]))

/// Cairo and Pango, and what reads images, only while the trait `Cairo` is on.
let cairo = ["CQueuePoolsCairo", "CQueuePoolsPNG", "CQueuePoolsJPEG"].map {
    Target.Dependency.target(name: $0, condition: .when(traits: ["Cairo"]))
}

/// Set by the gate, separated by commas:
/// - `warnings` makes warnings errors. Not always on: a later compiler's new warnings should not prevent a
///   build.
/// - `imports` compiles each file by itself. Files of one batch share their imports, and the number of cores
///   decides which those are; without batches a missing import is an error on every machine.
/// - `no-debug-information` leaves out what only a debugger reads, which is a seventh of a debug build's
///   time.
/// - `pool-tests` leaves out all tests but those of `QueuePools` and `QueuePoolsTopology`.
/// - `no-models` leaves out the models of the engine, which sanitizers have no use for.
/// - `unknown-runtime` compiles the code for compilers that the gate has not tried (`SwiftRuntime`).
/// - `unoptimized-tests` optimizes the library alone in a release build, which saves most of that build's
///   time.
let gate = Context.environment["QUEUE_POOLS_GATE"]?.split(separator: ",") ?? []

/// None where the Swift Package Index builds: its machines have no libnuma-dev, and `.spi.yml` cannot request
/// it.
let defaultTraits: Set<String> = Context.environment["SPI_BUILD"] == nil ? ["NUMA"] : []

let package = Package(
    name: "swift-queue-pools",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "QueuePoolsTopology", targets: ["QueuePoolsTopology"]),
        .library(name: "QueuePools", targets: ["QueuePools"]),
        .library(name: "QueuePoolsSentinels", targets: ["QueuePoolsSentinels"]),
        .library(name: "QueuePoolsTransactions", targets: ["QueuePoolsTransactions"]),
        .library(name: "MainLoopBridges", targets: ["MainLoopBridges"]),
        .library(name: "AsyncLayers", targets: ["AsyncLayers"]),
        .library(name: "TiledLayers", targets: ["TiledLayers"]),
        .library(name: "ScrollScheduling", targets: ["ScrollScheduling"]),
        .library(name: "BitmapRendering", targets: ["BitmapRendering"]),
        .library(name: "CairoRendering", targets: ["CairoRendering"]),
        .library(name: "QueuePoolsSimulations", targets: ["QueuePoolsSimulations"]),
        .library(name: "ManualPools", targets: ["ManualPools"]),
    ],
    traits: [
        .trait(name: "NUMA", description: "Read the machine's NUMA nodes through libnuma (Linux)."),
        .trait(name: "Cairo", description: "Draw with Cairo and Pango (CairoRendering)."),
        .default(enabledTraits: defaultTraits),
    ],
    targets: [
        .systemLibrary(name: "CQueuePoolsNUMA", pkgConfig: "numa", providers: [.apt(["libnuma-dev"])]),
        .target(name: "CQueuePoolsThreads"),
        .target(name: "CQueuePoolsEvents"),
        .target(
            name: "QueuePoolsTopology",
            dependencies: [
                libnuma, .target(name: "CQueuePoolsThreads", condition: .when(platforms: [.linux])),
                "QueuePoolsLocks",
            ]),
        .target(name: "QueuePoolsLocks"),
        .target(
            name: "QueuePools",
            dependencies: [
                .target(name: "CQueuePoolsThreads", condition: .when(platforms: [.linux])),
                "QueuePoolsLocks", "QueuePoolsTopology",
            ]),
        .target(name: "QueuePoolsSentinels"),
        .target(name: "QueuePoolsTransactions", dependencies: ["QueuePoolsLocks"]),
        .target(
            name: "MainLoopBridges",
            dependencies: [
                .target(name: "CQueuePoolsEvents", condition: .when(platforms: [.linux])),
                .target(name: "CQueuePoolsThreads", condition: .when(platforms: [.linux])),
                "QueuePoolsTransactions",
            ]),
        .target(
            name: "AsyncLayers",
            dependencies: [
                .target(name: "CQueuePoolsThreads", condition: .when(platforms: [.linux])), "QueuePools",
                "QueuePoolsLocks", "QueuePoolsSentinels", "QueuePoolsTransactions",
            ]),
        .target(
            name: "TiledLayers",
            dependencies: ["AsyncLayers", "QueuePools", "QueuePoolsLocks", "QueuePoolsTransactions"]),
        .target(name: "ScrollScheduling"),
        .target(name: "BitmapRendering", dependencies: ["AsyncLayers"]),
        .systemLibrary(
            name: "CQueuePoolsCairo", pkgConfig: "pangocairo",
            providers: [.apt(["libcairo2-dev", "libpango1.0-dev"])]),
        .systemLibrary(name: "CQueuePoolsPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CQueuePoolsJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg-dev"])]),
        .target(
            name: "CairoRendering", dependencies: ["AsyncLayers", "QueuePools", "QueuePoolsLocks"] + cairo),
        .target(
            name: "QueuePoolsSimulations",
            dependencies: [
                "AsyncLayers", "QueuePools", "QueuePoolsLocks", "QueuePoolsTopology",
                "QueuePoolsTransactions",
            ]),
        .target(name: "ManualPools", dependencies: ["QueuePools", "QueuePoolsLocks", "QueuePoolsTopology"]),

        .target(
            name: "TestSupport", dependencies: ["AsyncLayers", "QueuePools", "QueuePoolsLocks"],
            path: "Tests/TestSupport"),
        .executableTarget(
            name: "TopologyProbe", dependencies: ["CQueuePoolsThreads", "QueuePoolsTopology"],
            path: "Tests/TopologyProbe"),
        .testTarget(
            name: "QueuePoolsTopologyTests",
            dependencies: ["QueuePoolsTopology", "TestSupport", "TopologyProbe"]),
        .testTarget(name: "QueuePoolsLocksTests", dependencies: ["QueuePoolsLocks"]),
        .target(name: "CAllocations", path: "Tests/CAllocations"),
        .target(name: "CThreadChecks", path: "Tests/CThreadChecks"),
        .testTarget(
            name: "QueuePoolsTests",
            dependencies: [
                "CAllocations", "CThreadChecks", "ManualPools", "QueuePools", "QueuePoolsLocks",
                "QueuePoolsTopology", "TestSupport",
            ]),
        .target(name: "CMemoryModel", path: "Tests/CMemoryModel"),
        .target(name: "MemoryModel", dependencies: ["CMemoryModel"], path: "Tests/MemoryModel"),
        // Compiles the engine's own files, by a symbolic link, with other atomics and locks.
        .testTarget(
            name: "EngineModelTests",
            dependencies: [
                .target(name: "CQueuePoolsThreads", condition: .when(platforms: [.linux])), "MemoryModel",
                "QueuePoolsLocks", "QueuePoolsTopology",
            ],
            exclude: [
                "Shipped/Mailbox/MailboxSizes.swift", "Shipped/QueuePools.docc",
                "Shipped/Support/WithoutContext.swift", "Shipped/Traces",
            ]),
        .testTarget(name: "QueuePoolsSentinelsTests", dependencies: ["QueuePoolsSentinels"]),
        .target(
            name: "TransactionScenarios", dependencies: ["QueuePoolsTransactions"],
            path: "Tests/TransactionScenarios"),
        .executableTarget(
            name: "TransactionsProbe",
            dependencies: ["QueuePoolsLocks", "QueuePoolsTransactions", "TransactionScenarios"],
            path: "Tests/TransactionsProbe"),
        .executableTarget(
            name: "TransactionsAsyncProbe", dependencies: ["QueuePoolsTransactions", "TransactionScenarios"],
            path: "Tests/TransactionsAsyncProbe"),
        .testTarget(
            name: "QueuePoolsTransactionsTests",
            dependencies: [
                "QueuePoolsTransactions", "TestSupport", "TransactionsAsyncProbe", "TransactionsProbe",
            ]),
        .executableTarget(
            name: "MainLoopBridgesProbe",
            dependencies: [
                .target(name: "CQueuePoolsEvents", condition: .when(platforms: [.linux])), "AsyncLayers",
                "BitmapRendering", "MainLoopBridges", "QueuePoolsLocks", "QueuePoolsTransactions",
                "TestSupport", "TransactionScenarios",
            ],
            path: "Tests/MainLoopBridgesProbe"),
        .executableTarget(
            name: "MainLoopBridgesAsyncProbe",
            dependencies: ["MainLoopBridges", "QueuePoolsTransactions", "TransactionScenarios"],
            path: "Tests/MainLoopBridgesAsyncProbe"),
        .testTarget(
            name: "MainLoopBridgesTests",
            dependencies: [
                "MainLoopBridges", "MainLoopBridgesAsyncProbe", "MainLoopBridgesProbe", "TestSupport",
            ]),
        .executableTarget(
            name: "TopLevelProbe", dependencies: ["AsyncLayers", "BitmapRendering", "QueuePools"],
            path: "Tests/TopLevelProbe"),
        .testTarget(
            name: "AsyncLayersTests",
            dependencies: [
                "AsyncLayers", "ManualPools", "QueuePools", "QueuePoolsLocks", "QueuePoolsSentinels",
                "QueuePoolsTransactions", "TestSupport", "TopLevelProbe",
            ]),
        .testTarget(
            name: "TiledLayersTests",
            dependencies: [
                "AsyncLayers", "BitmapRendering", "ManualPools", "QueuePools", "QueuePoolsLocks",
                "QueuePoolsSimulations", "QueuePoolsTransactions", "TestSupport", "TiledLayers",
            ]),
        .testTarget(name: "ScrollSchedulingTests", dependencies: ["ScrollScheduling", "TestSupport"]),
        .testTarget(
            name: "BitmapRenderingTests",
            dependencies: [
                "AsyncLayers", "BitmapRendering", "QueuePools", "QueuePoolsSentinels",
                "QueuePoolsTransactions", "TestSupport",
            ]),
        .testTarget(
            name: "CairoRenderingTests",
            dependencies: [
                "AsyncLayers", "CAllocations", "CairoRendering", "QueuePools", "QueuePoolsTransactions",
                "TestSupport",
            ] + cairo),
        .testTarget(
            name: "QueuePoolsSimulationsTests",
            dependencies: [
                "AsyncLayers", "QueuePools", "QueuePoolsLocks", "QueuePoolsSimulations",
                "QueuePoolsTransactions", "TestSupport",
            ]),
        .testTarget(
            name: "ManualPoolsTests", dependencies: ["ManualPools", "QueuePools", "TestSupport"]),
        .testTarget(
            name: "StressTests",
            dependencies: ["AsyncLayers", "QueuePools", "QueuePoolsLocks", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

if gate.contains("pool-tests") {
    let tests = ["QueuePoolsTests", "QueuePoolsTopologyTests"]
    package.targets.removeAll { $0.type == .test && !tests.contains($0.name) }
}
if gate.contains("no-models") {
    package.targets.removeAll { ["CMemoryModel", "MemoryModel", "EngineModelTests"].contains($0.name) }
}

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    if gate.contains("warnings") {
        target.swiftSettings! += [.treatAllWarnings(as: .error)]
        target.cSettings = [.treatAllWarnings(as: .error)]
    }
    if gate.contains("imports") {
        target.swiftSettings! += [.unsafeFlags(["-disable-batch-mode"])]
    }
    if gate.contains("unknown-runtime") { target.swiftSettings! += [.define("UNKNOWN_RUNTIME")] }
    if gate.contains("no-debug-information") {
        target.swiftSettings! += [.unsafeFlags(["-gnone"])]
    }
    if gate.contains("unoptimized-tests"), target.path?.hasPrefix("Tests/") ?? (target.type == .test) {
        target.swiftSettings! += [.unsafeFlags(["-Onone"])]
    }
    // A model of memory executes programs some hundred thousand times. Its threads are stacks of one thread,
    // for which the checks of exclusivity would keep one list.
    if ["CMemoryModel", "MemoryModel", "EngineModelTests"].contains(target.name) {
        target.cSettings = (target.cSettings ?? []) + [.unsafeFlags(["-O2"])]
        target.swiftSettings! += [.unsafeFlags(["-O", "-enforce-exclusivity=unchecked"])]
    }
}
