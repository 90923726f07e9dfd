// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// One program that runs libFuzzer on a parser of untrusted bytes. Built and run by `Fuzz/run`. It links only with libFuzzer, so it
// cannot be a target of the root package.

import PackageDescription

let package = Package(
    name: "handoff-fuzz",
    dependencies: [.package(name: "handoff", path: "..")],
    targets: [
        .executableTarget(
            name: "fuzz",
            dependencies: [.product(name: "_HandoffFuzzing", package: "handoff")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
