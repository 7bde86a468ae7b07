// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that what measurements need never becomes a dependency of those who draw.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    targets: [.executableTarget(name: "QueueTargets"), .executableTarget(name: "TierPriorities")],
    swiftLanguageModes: [.v6]
)
