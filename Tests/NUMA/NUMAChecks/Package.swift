// swift-tools-version: 6.2

import PackageDescription

// What Tests/NUMA/run boots in its virtual machines. SwiftPM tells local packages apart by the names of their
// folders: it works in a checkout of any name but `NUMAChecks`, this folder's own.
let package = Package(
    name: "NUMAChecks",
    dependencies: [.package(name: "swift-queue-pools", path: "../../..")],
    targets: [
        .target(name: "CPlacement"),
        .executableTarget(
            name: "NUMAChecks",
            dependencies: [
                "CPlacement",
                .product(name: "QueuePools", package: "swift-queue-pools"),
                .product(name: "QueuePoolsTopology", package: "swift-queue-pools"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
