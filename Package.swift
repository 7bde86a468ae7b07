// swift-tools-version: 6.2

import PackageDescription

/// libnuma, linked only on Linux and only while the trait `NUMA` is on.
let libnuma = Target.Dependency.target(
    name: "CLibNUMA", condition: .when(platforms: [.linux], traits: ["NUMA"]))

/// Cairo and Pango, and what reads images, only while the trait `Cairo` is on.
let cairo = ["CLibCairo", "CLibPNG", "CLibJPEG"].map {
    Target.Dependency.target(name: $0, condition: .when(traits: ["Cairo"]))
}

/// Set by the gate, separated by commas:
/// - `warnings` makes warnings errors. Not always on: a later compiler's new warnings should not prevent a
///   build.
/// - `imports` compiles each file by itself. Files of one batch share their imports, and the number of cores
///   decides which those are; without batches a missing import is an error on every machine.
/// - `no-debug-information` leaves out what only a debugger reads, which is a seventh of a debug build's
///   time.
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
        .library(name: "Topology", targets: ["Topology"]),
        .library(name: "QueuePools", targets: ["QueuePools"]),
        .library(name: "PoolTraces", targets: ["PoolTraces"]),
        .library(name: "Sentinels", targets: ["Sentinels"]),
        .library(name: "Transactions", targets: ["Transactions"]),
        .library(name: "MainLoopBridges", targets: ["MainLoopBridges"]),
        .library(name: "AsyncLayers", targets: ["AsyncLayers"]),
        .library(name: "TiledLayers", targets: ["TiledLayers"]),
        .library(name: "ScrollScheduling", targets: ["ScrollScheduling"]),
        .library(name: "BitmapRendering", targets: ["BitmapRendering"]),
        .library(name: "CairoRendering", targets: ["CairoRendering"]),
        .library(name: "Simulations", targets: ["Simulations"]),
        .library(name: "ManualPools", targets: ["ManualPools"]),
    ],
    traits: [
        .trait(name: "NUMA", description: "Read the machine's NUMA nodes through libnuma (Linux)."),
        .trait(name: "Cairo", description: "Draw with Cairo and Pango (CairoRendering)."),
        .default(enabledTraits: defaultTraits),
    ],
    targets: [
        .systemLibrary(name: "CLibNUMA", pkgConfig: "numa", providers: [.apt(["libnuma-dev"])]),
        .target(name: "CLinuxThreads"),
        .target(name: "CLinuxEvents"),
        .target(
            name: "Topology",
            dependencies: [
                libnuma, .target(name: "CLinuxThreads", condition: .when(platforms: [.linux])), "Locks",
            ]),
        .target(name: "Locks"),
        .target(
            name: "QueuePools",
            dependencies: [
                .target(name: "CLinuxThreads", condition: .when(platforms: [.linux])), "Locks", "Topology",
            ]),
        .target(name: "PoolTraces", dependencies: ["Locks", "QueuePools"]),
        .target(name: "Sentinels"),
        .target(name: "Transactions", dependencies: ["Locks"]),
        .target(
            name: "MainLoopBridges",
            dependencies: [
                .target(name: "CLinuxEvents", condition: .when(platforms: [.linux])),
                .target(name: "CLinuxThreads", condition: .when(platforms: [.linux])), "Transactions",
            ]),
        .target(
            name: "AsyncLayers",
            dependencies: [
                .target(name: "CLinuxThreads", condition: .when(platforms: [.linux])), "Locks", "PoolTraces",
                "QueuePools", "Sentinels", "Transactions",
            ]),
        .target(name: "TiledLayers", dependencies: ["AsyncLayers", "Locks", "QueuePools", "Transactions"]),
        .target(name: "ScrollScheduling"),
        .target(name: "BitmapRendering", dependencies: ["AsyncLayers"]),
        .systemLibrary(
            name: "CLibCairo", pkgConfig: "pangocairo",
            providers: [.apt(["libcairo2-dev", "libpango1.0-dev"])]),
        .systemLibrary(name: "CLibPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CLibJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg-dev"])]),
        .target(name: "CairoRendering", dependencies: ["AsyncLayers", "Locks", "QueuePools"] + cairo),
        .target(
            name: "Simulations",
            dependencies: ["AsyncLayers", "Locks", "QueuePools", "Topology", "Transactions"]),
        .target(name: "ManualPools", dependencies: ["Locks", "QueuePools", "Topology"]),

        .target(
            name: "TestSupport", dependencies: ["AsyncLayers", "Locks", "QueuePools"],
            path: "Tests/TestSupport"),
        .executableTarget(
            name: "TopologyProbe", dependencies: ["Topology", "CLinuxThreads"], path: "Tests/TopologyProbe"),
        .testTarget(name: "TopologyTests", dependencies: ["Topology", "TopologyProbe", "TestSupport"]),
        .testTarget(name: "LocksTests", dependencies: ["Locks"]),
        .target(name: "CAllocations", path: "Tests/CAllocations"),
        .target(name: "CThreadChecks", path: "Tests/CThreadChecks"),
        .testTarget(
            name: "QueuePoolsTests",
            dependencies: [
                "CAllocations", "CThreadChecks", "Locks", "ManualPools", "QueuePools", "TestSupport",
                "Topology",
            ]),
        .testTarget(name: "PoolTracesTests", dependencies: ["AsyncLayers", "PoolTraces", "QueuePools"]),
        .target(name: "CMemoryModel", path: "Tests/CMemoryModel"),
        .target(name: "MemoryModel", dependencies: ["CMemoryModel"], path: "Tests/MemoryModel"),
        // Compiles the engine's own files, by a symbolic link, with other atomics and locks.
        .testTarget(
            name: "EngineModelTests",
            dependencies: [
                .target(name: "CLinuxThreads", condition: .when(platforms: [.linux])), "Locks", "MemoryModel",
                "Topology",
            ],
            exclude: [
                "Shipped/Engine/Fence.swift", "Shipped/Mailbox/MailboxSizes.swift", "Shipped/QueuePools.docc",
            ]),
        .testTarget(name: "SentinelsTests", dependencies: ["Sentinels"]),
        .target(
            name: "TransactionScenarios", dependencies: ["Transactions"], path: "Tests/TransactionScenarios"),
        .executableTarget(
            name: "TransactionsProbe", dependencies: ["Locks", "TransactionScenarios", "Transactions"],
            path: "Tests/TransactionsProbe"),
        .executableTarget(
            name: "TransactionsAsyncProbe", dependencies: ["TransactionScenarios", "Transactions"],
            path: "Tests/TransactionsAsyncProbe"),
        .testTarget(
            name: "TransactionsTests",
            dependencies: ["Transactions", "TestSupport", "TransactionsProbe", "TransactionsAsyncProbe"]),
        .executableTarget(
            name: "MainLoopBridgesProbe",
            dependencies: [
                .target(name: "CLinuxEvents", condition: .when(platforms: [.linux])), "AsyncLayers",
                "BitmapRendering", "Locks", "MainLoopBridges", "TestSupport", "TransactionScenarios",
                "Transactions",
            ],
            path: "Tests/MainLoopBridgesProbe"),
        .executableTarget(
            name: "MainLoopBridgesAsyncProbe",
            dependencies: ["MainLoopBridges", "TransactionScenarios", "Transactions"],
            path: "Tests/MainLoopBridgesAsyncProbe"),
        .testTarget(
            name: "MainLoopBridgesTests",
            dependencies: ["MainLoopBridgesAsyncProbe", "MainLoopBridgesProbe", "TestSupport"]),
        .executableTarget(
            name: "TopLevelProbe", dependencies: ["AsyncLayers", "BitmapRendering", "QueuePools"],
            path: "Tests/TopLevelProbe"),
        .testTarget(
            name: "AsyncLayersTests",
            dependencies: [
                "AsyncLayers", "Locks", "ManualPools", "QueuePools", "Sentinels", "TestSupport",
                "TopLevelProbe", "Transactions",
            ]),
        .testTarget(
            name: "TiledLayersTests",
            dependencies: [
                "AsyncLayers", "BitmapRendering", "Locks", "QueuePools", "Simulations", "TestSupport",
                "TiledLayers", "Transactions",
            ]),
        .testTarget(name: "ScrollSchedulingTests", dependencies: ["ScrollScheduling", "TestSupport"]),
        .testTarget(
            name: "BitmapRenderingTests",
            dependencies: [
                "AsyncLayers", "BitmapRendering", "QueuePools", "Sentinels", "TestSupport", "Transactions",
            ]),
        .testTarget(
            name: "CairoRenderingTests",
            dependencies: [
                "AsyncLayers", "CAllocations", "CairoRendering", "QueuePools", "TestSupport", "Transactions",
            ] + cairo),
        .testTarget(
            name: "SimulationsTests",
            dependencies: [
                "AsyncLayers", "Locks", "QueuePools", "Simulations", "TestSupport", "Transactions",
            ]),
        .testTarget(
            name: "ManualPoolsTests", dependencies: ["ManualPools", "QueuePools", "TestSupport"]),
        .testTarget(
            name: "StressTests", dependencies: ["AsyncLayers", "Locks", "QueuePools", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

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
