// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// Runs the built programs as a user would. It depends on none of our code, so it builds in seconds.

import PackageDescription

let houseRules: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "EndToEnd",
    products: [
        .executable(name: "demo", targets: ["Demo"]),
        .executable(name: "demo-doctor", targets: ["DoctorDemo"]),
        .executable(name: "demo-programs", targets: ["ProgramsDemo"]),
        .executable(name: "demo-screenshots", targets: ["Screenshots"]),
        .executable(name: "measure-tabs", targets: ["MeasureTabs"]),
    ],
    targets: [
        // Devices as real processes, networks as real namespaces.
        .target(name: "RealDevices", dependencies: ["CPacketSocket", "CTerminal"], swiftSettings: houseRules),
        // Not possible in Swift: a socket in another namespace that receives every frame there.
        .target(name: "CPacketSocket"),
        // A terminal for programs that check whether they have one.
        .target(name: "CTerminal"),
        .executableTarget(name: "Demo", dependencies: ["RealDevices"], swiftSettings: houseRules),
        .executableTarget(name: "DoctorDemo", dependencies: ["RealDevices"], swiftSettings: houseRules),
        .executableTarget(name: "ProgramsDemo", dependencies: ["RealDevices"], swiftSettings: houseRules),
        .executableTarget(name: "Screenshots", dependencies: ["RealDevices"], swiftSettings: houseRules),
        .executableTarget(name: "MeasureTabs", dependencies: ["RealDevices"], swiftSettings: houseRules),
        .testTarget(name: "EndToEndTests", dependencies: ["RealDevices"], swiftSettings: houseRules),
    ]
)
