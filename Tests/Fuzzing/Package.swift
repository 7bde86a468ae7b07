// swift-tools-version: 6.2

import PackageDescription

// Built with libFuzzer, for as long as one likes:
//
//     Tests/Fuzzing/run 60
let package = Package(
    name: "Fuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-queue-pools", path: "../..", traits: ["NUMA", "Cairo"])],
    targets: [
        .target(name: "CLibFuzzer"),
        .executableTarget(
            name: "ImageFuzzer",
            dependencies: ["CLibFuzzer", .product(name: "CairoRendering", package: "swift-queue-pools")]),
        .executableTarget(
            name: "LayoutFuzzer",
            dependencies: ["CLibFuzzer", .product(name: "CairoRendering", package: "swift-queue-pools")]),
    ],
    swiftLanguageModes: [.v6]
)

// Set by the gate.
let failsOnWarnings = Context.environment["QUEUE_POOLS_GATE"]?.contains("warnings") ?? false
for target in package.targets where target.type != .system && failsOnWarnings {
    target.swiftSettings = [.treatAllWarnings(as: .error)]
}
