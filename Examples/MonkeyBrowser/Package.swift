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
        // Each by itself: `swift build --product MonkeyBrowser` needs no GTK.
        .executable(name: "MonkeyBrowser", targets: ["MonkeyBrowser"]),
        .executable(name: "MonkeyBrowserWindow", targets: ["MonkeyBrowserWindow"]),
    ],
    dependencies: [
        .package(name: "handoff", path: "../..")
    ],
    targets: [
        // What the browser knows: tabs, addresses, what happened. No Handoff, no terminal.
        .target(name: "MonkeyBrowserModel", swiftSettings: houseRules),
        // The activities it offers and continues, and a terminal to use it with.
        .target(
            name: "MonkeyBrowserTerminal",
            dependencies: [
                "MonkeyBrowserModel",
                .product(name: "Handoff", package: "handoff"),
                .product(name: "HandoffApp", package: "handoff"),
            ],
            swiftSettings: houseRules),
        .executableTarget(
            name: "MonkeyBrowser", dependencies: ["MonkeyBrowserTerminal"], swiftSettings: houseRules),
        // Windows to use it with, with the pages in them; the terminal where there is no display.
        .executableTarget(
            name: "MonkeyBrowserWindow",
            dependencies: [
                "MonkeyBrowserModel",
                "MonkeyBrowserTerminal",
                "CWebKitGTK",
                .product(name: "Handoff", package: "handoff"),
                .product(name: "HandoffApp", package: "handoff"),
            ],
            swiftSettings: houseRules),
        .systemLibrary(
            name: "CWebKitGTK", pkgConfig: "webkitgtk-6.0", providers: [.apt(["libwebkitgtk-6.0-dev"])]),
        .testTarget(
            name: "MonkeyBrowserModelTests", dependencies: ["MonkeyBrowserModel"], swiftSettings: houseRules),
    ]
)
