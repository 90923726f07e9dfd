// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

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
    name: "MonkeyBrowser",
    products: [
        .executable(name: "MonkeyBrowser", targets: ["MonkeyBrowser"])
    ],
    dependencies: [
        .package(name: "handoff", path: "../..")
    ],
    targets: [
        // What the browser knows: tabs, addresses, what happened. No Handoff, no terminal.
        .target(name: "MonkeyBrowserModel", swiftSettings: houseRules),
        // Its face: the activities it offers and continues, and a terminal to use it with.
        .executableTarget(
            name: "MonkeyBrowser",
            dependencies: [
                "MonkeyBrowserModel",
                .product(name: "Handoff", package: "handoff"),
                .product(name: "HandoffApp", package: "handoff"),
            ],
            swiftSettings: houseRules),
        .testTarget(
            name: "MonkeyBrowserModelTests", dependencies: ["MonkeyBrowserModel"], swiftSettings: houseRules),
    ]
)
