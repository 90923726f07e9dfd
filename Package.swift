// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// One section a target, from the lowest floor up; see ARCHITECTURE.md for what each room is.

import PackageDescription

let houseRules: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

func room(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: houseRules)
}

func door(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: houseRules)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil) -> Target {
    .testTarget(name: name, dependencies: dependencies, resources: resources, swiftSettings: houseRules)
}

extension Target.Dependency {
    static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
    static let asn1 = product(name: "SwiftASN1", package: "swift-asn1")
    static let asyncHTTPClient = product(name: "AsyncHTTPClient", package: "async-http-client")
    static let configuration = product(name: "Configuration", package: "swift-configuration")
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let lifecycle = product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
    static let log = product(name: "Logging", package: "swift-log")
    static let nioCore = product(name: "NIOCore", package: "swift-nio")
    static let nioEmbedded = product(name: "NIOEmbedded", package: "swift-nio")
    static let nioHTTP1 = product(name: "NIOHTTP1", package: "swift-nio")
    static let nioPosix = product(name: "NIOPosix", package: "swift-nio")
    static let nioSSL = product(name: "NIOSSL", package: "swift-nio-ssl")
    static let nioTLS = product(name: "NIOTLS", package: "swift-nio")
    static let protobuf = product(name: "SwiftProtobuf", package: "swift-protobuf")
    static let system = product(name: "SystemPackage", package: "swift-system")
    static let x509 = product(name: "X509", package: "swift-certificates")
}

let package = Package(
    name: "handoff",
    products: [
        .library(name: "Handoff", targets: ["Handoff"]),
        .library(name: "HandoffApp", targets: ["HandoffApp"]),
        // For the tests of apps.
        .library(name: "HandoffTestKit", targets: ["HandoffTestKit"]),
        .executable(name: "handoff", targets: ["HandoffCommand"]),
        .executable(name: "handoff-browser-host", targets: ["handoff-browser-host"]),
        .executable(name: "handoffd", targets: ["handoffd"]),
        // For Fuzz/ alone, which is a package of its own: what it is linked with fits nothing else.
        .library(name: "_HandoffFuzzing", targets: ["HandoffFuzzing"]),
        .library(name: "_HandoffMeasuring", targets: ["HandoffMeasuring"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(
            url: "https://github.com/apple/swift-configuration", from: "1.4.0",
            traits: [.defaults, "CommandLineArguments"]),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // MARK: Floor 0, words
        room("HandoffWire", [.protobuf]),

        // MARK: Floor 1, rules
        room("HandoffCore", ["HandoffWire"]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        room("HandoffTrust", ["COpenSSL", "HandoffWire", .asn1, .crypto, .protobuf, .x509]),

        // MARK: Floor 2, hands
        room(
            "HandoffNet",
            [
                "HandoffCore", "HandoffTrust", "HandoffWire", .asyncHTTPClient, .log, .nioCore, .nioHTTP1, .nioPosix,
                .nioSSL, .nioTLS,
            ]),
        .target(name: "CHandoffHost"),
        room("HandoffHost", ["CHandoffHost", "HandoffCore", "HandoffTrust", "HandoffWire", .log]),
        room("HandoffClient", ["HandoffWire"]),

        // MARK: Floor 3, houses
        room(
            "HandoffDaemon",
            ["HandoffCore", "HandoffTrust", "HandoffWire", .configuration, .lifecycle, .log, .system]),
        room("Handoff", ["HandoffClient", "HandoffWire"]),
        // swift-crypto for what it keeps on disk: docs/decisions/0014.
        room("HandoffApp", ["Handoff", "HandoffClient", "HandoffWire", .crypto]),
        // What a browser's extension speaks with.
        room("HandoffBrowserHost", ["HandoffClient", "HandoffWire"]),

        // MARK: Doors
        door(
            "handoffd",
            [
                "HandoffCore", "HandoffDaemon", "HandoffHost", "HandoffNet", "HandoffTrust", "HandoffWire",
                .lifecycle, .log, .nioCore, .nioPosix,
            ]),
        door(
            "HandoffCommand",
            ["HandoffClient", "HandoffCore", "HandoffHost", "HandoffTrust", "HandoffWire", .argumentParser, .log]),

        door("handoff-browser-host", ["HandoffBrowserHost", "HandoffWire"]),

        // The sample to copy; a package of its own would build all of this once more.
        .executableTarget(
            name: "ToDo", dependencies: ["HandoffApp"], path: "Examples/ToDo/Sources/ToDo", swiftSettings: houseRules),

        // What is too large for an activity, through streams.
        .executableTarget(
            name: "PhotoHandoff", dependencies: ["HandoffApp"], path: "Examples/PhotoHandoff/Sources/PhotoHandoff",
            swiftSettings: houseRules),

        // Code as Apple's and Microsoft's documentation shows it, with the settings that such an app has.
        .executableTarget(
            name: "PortedApps", dependencies: ["HandoffApp"], path: "Tests/SourceCompatibility/Apps",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
        // One with `@main` is a module of its own.
        .executableTarget(
            name: "PortedLetters", dependencies: ["HandoffApp"], path: "Tests/SourceCompatibility/Letters",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
        // What the articles of the libraries show.
        .executableTarget(
            name: "ArticleSnippets", dependencies: ["Handoff", "HandoffApp"],
            path: "Tests/SourceCompatibility/Snippets", swiftSettings: houseRules),

        // MARK: Workshop
        room(
            "HandoffTesting",
            ["HandoffCore", "HandoffDaemon", "HandoffTrust", "HandoffWire", .log]),
        room(
            "HandoffTestKit",
            [
                "Handoff", "HandoffApp", "HandoffClient", "HandoffCore", "HandoffDaemon", "HandoffTesting",
                "HandoffTrust", "HandoffWire",
            ]),
        room("HandoffMeasuring", ["Handoff", "HandoffClient", "HandoffTrust", "HandoffWire"]),
        room(
            "HandoffFuzzing",
            [
                "Handoff", "HandoffApp", "HandoffBrowserHost", "HandoffCore", "HandoffHost", "HandoffTrust",
                "HandoffWire", .crypto, .log,
            ]),

        // MARK: Tests
        tests("HandoffWireTests", ["HandoffWire", "HandoffTesting"]),
        tests("HandoffCoreTests", ["HandoffCore", "HandoffTesting", "HandoffWire"]),
        tests(
            "HandoffTrustTests",
            ["HandoffCore", "HandoffTesting", "HandoffTrust", "HandoffWire", .asn1, .crypto, .x509]),
        tests(
            "HandoffNetTests",
            [
                "HandoffCore", "HandoffNet", "HandoffTesting", "HandoffTrust", "HandoffWire",
                .asn1, .crypto, .log, .nioCore, .nioEmbedded, .nioHTTP1, .nioPosix, .nioSSL, .x509,
            ]),
        tests(
            "HandoffCommandTests", ["HandoffCommand", "HandoffWire", "handoffd", .argumentParser, .crypto],
            resources: [.copy("Transcripts")]),
        tests(
            "HandoffHostTests", ["HandoffCore", "HandoffHost", "HandoffTesting", "HandoffTrust", "HandoffWire", .log]),
        tests(
            "HandoffDaemonTests",
            ["HandoffCore", "HandoffDaemon", "HandoffTesting", "HandoffTrust", "HandoffWire", .log]),
        tests("HandoffBrowserHostTests", ["HandoffBrowserHost", "HandoffClient", "HandoffWire"]),
        tests(
            "HandoffFuzzingTests",
            ["HandoffApp", "HandoffBrowserHost", "HandoffCore", "HandoffFuzzing", "HandoffTrust", "HandoffWire"]),
        tests(
            "HandoffScenarioTests",
            [
                "HandoffClient", "HandoffCore", "HandoffDaemon", "HandoffNet", "HandoffTesting", "HandoffTrust",
                "HandoffWire", .log, .nioCore, .nioPosix,
            ]),
        tests(
            "HandoffTests",
            ["Handoff", "HandoffApp", "HandoffBrowserHost", "HandoffClient", "HandoffTesting", "HandoffWire"]),
        tests("HandoffTestKitTests", ["HandoffApp", "HandoffTestKit"]),
        .testTarget(
            name: "SourceCompatibilityTests",
            dependencies: [
                "HandoffApp", "HandoffCommand", "HandoffTestKit", "PhotoHandoff", "PortedApps", "PortedLetters",
                "handoffd",
            ],
            path: "Tests/SourceCompatibility/Tests", swiftSettings: houseRules),
        .testTarget(
            name: "ToDoTests", dependencies: ["HandoffApp", "HandoffTestKit", "ToDo"],
            path: "Examples/ToDo/Tests/ToDoTests", swiftSettings: houseRules),
        .testTarget(
            name: "PhotoHandoffTests", dependencies: ["HandoffApp", "HandoffTestKit", "PhotoHandoff"],
            path: "Examples/PhotoHandoff/Tests/PhotoHandoffTests", swiftSettings: houseRules),
    ]
)
