// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// The programs that `run` measures with. Apart from the root package, so that it stays light.

import PackageDescription

let rules: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

let package = Package(
    name: "handoff-benchmarks",
    dependencies: [.package(name: "handoff", path: "..")],
    targets: [
        .target(name: "BenchClock", swiftSettings: rules),
        .executableTarget(
            name: "bench-publisher",
            dependencies: [
                "BenchClock", .product(name: "Handoff", package: "handoff"),
                .product(name: "HandoffApp", package: "handoff"),
            ],
            swiftSettings: rules),
        .executableTarget(
            name: "bench-app",
            dependencies: [
                "BenchClock", .product(name: "Handoff", package: "handoff"),
                .product(name: "HandoffApp", package: "handoff"),
            ],
            swiftSettings: rules),
        .executableTarget(
            name: "bench-roster",
            dependencies: ["BenchClock", .product(name: "_HandoffMeasuring", package: "handoff")],
            swiftSettings: rules),
        .executableTarget(
            name: "bench-activity",
            dependencies: ["BenchClock", .product(name: "_HandoffMeasuring", package: "handoff")],
            swiftSettings: rules),
        .executableTarget(
            name: "bench-sites",
            dependencies: ["BenchClock", .product(name: "_HandoffMeasuring", package: "handoff")],
            swiftSettings: rules),
        .executableTarget(name: "bench-bare", dependencies: ["BenchClock"], swiftSettings: rules),
        .executableTarget(
            name: "bench-linked", dependencies: ["BenchClock", .product(name: "Handoff", package: "handoff")],
            swiftSettings: rules),
        .executableTarget(
            name: "bench-streams",
            dependencies: [
                "BenchClock", .product(name: "Handoff", package: "handoff"),
                .product(name: "HandoffApp", package: "handoff"),
            ],
            swiftSettings: rules),
        .executableTarget(
            name: "bench-documents",
            dependencies: [
                "BenchClock", .product(name: "Handoff", package: "handoff"),
                .product(name: "HandoffApp", package: "handoff"),
            ],
            swiftSettings: rules),
        .executableTarget(name: "bench-floor"),
        .executableTarget(name: "bench-relay"),
        .executableTarget(name: "bench-client", dependencies: ["BenchClock"], swiftSettings: rules),
    ]
)
