// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// One section for each target, from the lowest layer up. ARCHITECTURE.md describes each module.

import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

func library(_ name: String, _ dependencies: [Target.Dependency], in folder: String = "Sources") -> Target {
    .target(name: name, dependencies: dependencies, path: "\(folder)/\(name)", swiftSettings: settings)
}

/// A C library with a module map in `Sources/C`.
func system(_ name: String, _ pkgConfig: String, _ package: String) -> Target {
    .systemLibrary(name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Sources/Executables", sources: ["\(name).swift"],
        swiftSettings: settings)
}

func sample(_ app: String, _ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Examples/\(app)/Sources/\(name)", swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil) -> Target {
    .testTarget(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

extension Target.Dependency {
    static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
    static let asn1 = product(name: "SwiftASN1", package: "swift-asn1")
    static let configuration = product(name: "Configuration", package: "swift-configuration")
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let grdb = product(name: "GRDB", package: "GRDB.swift")
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

// The window, the samples with windows and their tests need GTK and WebKitGTK: `make everything`.
let hasWindows = Context.environment["HANDOFF_WINDOW"] != nil

// GTK: in this package if windows are built, in other packages if they set the trait. docs/decisions/0033.
let gtk = Target.Dependency.byName(name: "CGTK", condition: hasWindows ? nil : .when(traits: ["GTK"]))

let package = Package(
    name: "handoff",
    products: [
        .library(name: "Handoff", targets: ["Handoff"]),
        .library(name: "HandoffApp", targets: ["HandoffApp"]),
        // For GTK apps; empty without the trait.
        .library(name: "HandoffGTK", targets: ["HandoffGTK"]),
        // For the tests of apps.
        .library(name: "HandoffTestKit", targets: ["HandoffTestKit"]),
        .executable(name: "handoff", targets: ["handoff-programs"]),
        .executable(name: "handoff-browser-host", targets: ["handoff-browser-host"]),
        .executable(name: "handoff-adapters", targets: ["handoff-adapters"]),
        .executable(name: "handoff-bus", targets: ["handoff-bus"]),
        .executable(name: "handoff-history", targets: ["handoff-history"]),
        .executable(name: "handoff-web-fetch", targets: ["handoff-web-fetch"]),
        .executable(name: "handoffd", targets: ["handoffd"]),
        // Only for Fuzz/, a separate package: its link options suit no other product.
        .library(name: "_HandoffFuzzing", targets: ["HandoffFuzzing"]),
    ],
    traits: [.trait(name: "GTK", description: "HandoffGTK, for apps with windows: needs libgtk-4-dev")],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(
            url: "https://github.com/apple/swift-configuration", from: "1.4.0",
            traits: ["CommandLineArguments"]),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0", traits: []),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        // MARK: Layer 0, protocol
        library("HandoffWire", [.protobuf]),
        // Messages between the daemon and handoff-web-fetch.
        library("HandoffSiteMessages", []),

        // MARK: Layer 1, core, and the system
        library("HandoffCore", ["HandoffWire"]),
        // User-visible strings in six languages.
        library("HandoffStrings", ["HandoffWire"]),
        system("COpenSSL", "libcrypto", "libssl-dev"),
        library("HandoffTrust", ["COpenSSL", "HandoffWire", .asn1, .crypto, .protobuf, .x509]),

        .target(name: "CHandoffSystem", path: "Sources/C/CHandoffSystem"),
        library("HandoffSystem", ["CHandoffSystem"]),

        // MARK: Layer 2, adapters
        library(
            "HandoffNet",
            [
                "HandoffCore", "HandoffSystem", "HandoffTrust", "HandoffWire", .log, .nioCore, .nioPosix, .nioSSL,
                .nioTLS,
            ]),
        library(
            "HandoffHost",
            [
                "CHandoffSystem", "HandoffCore", "HandoffSiteMessages", "HandoffSystem", "HandoffTrust", "HandoffWire",
                .log,
            ]),
        library("HandoffClient", ["CHandoffSystem", "HandoffSystem", "HandoffWire"]),
        // The icons of installed apps, for the desktop integration and the window.
        library("HandoffIcons", ["HandoffCore", "HandoffSystem", "HandoffWire"]),
        system("CSystemd", "libsystemd", "libsystemd-dev"),
        library("HandoffBus", ["CSystemd", "HandoffSystem"]),
        system("CXCB", "xcb-res", "libxcb-res0-dev"),

        // MARK: Layer 3, services and frameworks
        library(
            "HandoffDaemon",
            ["HandoffCore", "HandoffTrust", "HandoffWire", .configuration, .log, .system]),
        library("Handoff", ["HandoffClient", "HandoffSystem", "HandoffWire"]),
        // Neither this nor its dependencies build any cryptography: docs/decisions/0026.
        library("HandoffApp", ["CHandoffSystem", "Handoff", "HandoffClient", "HandoffSystem", "HandoffWire"]),
        // Other toolkits would be added the same way.
        system("CGTK", "gtk4", "libgtk-4-dev"),
        // Bindings for GTK, without any other module of this package.
        library("HandoffGTKCalls", [gtk]),
        library("HandoffGTK", ["HandoffApp", "HandoffClient", "HandoffGTKCalls", "HandoffWire", gtk]),
        // The native messaging host of the browser extension.
        library(
            "HandoffBrowserHost", ["HandoffClient", "HandoffCore", "HandoffIcons", "HandoffSystem", "HandoffWire"]),
        // The desktop integration, over D-Bus.
        library(
            "HandoffDesktop",
            [
                "HandoffBus", "HandoffClient", "HandoffCore", "HandoffIcons", "HandoffSystem", "HandoffWire",
                "HandoffStrings",
            ]),

        // Takes part over D-Bus for programs that know nothing of Handoff.
        library(
            "HandoffAdapters",
            ["CXCB", "HandoffBus", "HandoffCore", "HandoffStrings", "HandoffSystem", "HandoffWire", .crypto]),

        // The content of the window and the actions of its buttons, without GTK.
        library(
            "HandoffWindowModel",
            [
                "HandoffBrowserHost", "HandoffClient", "HandoffCore", "HandoffIcons", "HandoffSystem", "HandoffWire",
                "HandoffStrings",
            ]),

        // Asks web sites, in a separate process that is as small as possible.
        system("CCurl", "libcurl", "libcurl4-openssl-dev"),
        // glibc's parser for DNS answers.
        .target(
            name: "CHandoffWebFetch", path: "Sources/C/CHandoffWebFetch", linkerSettings: [.linkedLibrary("resolv")]),
        library("HandoffWebFetch", ["CCurl", "CHandoffWebFetch", "HandoffSiteMessages"]),

        // The index of the history, in a separate process: docs/decisions/0073.
        library("HandoffHistory", ["HandoffCore", "HandoffSystem", "HandoffWire", .grdb]),

        // MARK: Layer 4, programs
        // The features with the real adapters.
        library(
            "HandoffDaemonProgram",
            [
                "HandoffCore", "HandoffDaemon", "HandoffHost", "HandoffNet", "HandoffSystem", "HandoffTrust",
                "HandoffWire", .log, .nioCore, .nioPosix,
            ]),
        library(
            "HandoffCommand",
            [
                "HandoffBrowserHost", "HandoffClient", "HandoffCore", "HandoffHost", "HandoffSystem", "HandoffTrust",
                "HandoffWire", .argumentParser, .log,
            ]),

        // MARK: Executables
        program("handoffd", ["HandoffDaemonProgram"]),
        program("handoff-browser-host", ["HandoffBrowserHost"]),
        program("handoff-adapters", ["HandoffAdapters"]),
        program("handoff-bus", ["HandoffDesktop"]),
        // The command and, under their names, the first two above. This executable is installed.
        program("handoff-programs", ["HandoffBrowserHost", "HandoffCommand", "HandoffDaemonProgram"]),
        program("handoff-web-fetch", ["HandoffWebFetch"]),
        program("handoff-history", ["HandoffHistory"]),

        // The sample to copy. As a separate package it would build everything again.
        .executableTarget(
            name: "ToDo", dependencies: ["HandoffApp"], path: "Examples/ToDo/Sources/ToDo", swiftSettings: settings),

        // Transfers data that is too large for an activity, through streams.
        .executableTarget(
            name: "PhotoHandoff", dependencies: ["HandoffApp"], path: "Examples/PhotoHandoff/Sources/PhotoHandoff",
            swiftSettings: settings),

        // The model of the browser: tabs, addresses, events. No Handoff, no terminal.
        sample("MonkeyBrowser", "MonkeyBrowserModel"),
        // The activities that it offers and continues, and its terminal interface.
        sample("MonkeyBrowser", "MonkeyBrowserTerminal", ["Handoff", "HandoffApp", "MonkeyBrowserModel"]),
        .executableTarget(
            name: "MonkeyBrowser", dependencies: ["MonkeyBrowserTerminal"],
            path: "Examples/MonkeyBrowser/Sources/MonkeyBrowser", swiftSettings: settings),

        // Code from Apple's and Microsoft's documentation, with the build settings of such an app.
        .executableTarget(
            name: "PortedApps", dependencies: ["Estate", "HandoffApp"], path: "Tests/SourceCompatibility/Apps",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
        // A module with common names, imported next to ours.
        .target(name: "Estate", path: "Tests/SourceCompatibility/Estate", swiftSettings: settings),
        // The same code in Swift 5 mode, in which most such code is compiled.
        .executableTarget(
            name: "PortedAppsSwift5", dependencies: ["Estate", "HandoffApp"],
            path: "Tests/SourceCompatibility/AppsSwift5",
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
        // An app with `@main` needs its own module.
        .executableTarget(
            name: "PortedLetters", dependencies: ["HandoffApp"], path: "Tests/SourceCompatibility/Letters",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "PortedLettersSwift5", dependencies: ["HandoffApp"], path: "Tests/SourceCompatibility/LettersSwift5",
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
        // The code of the libraries' articles.
        .executableTarget(
            name: "ArticleSnippets", dependencies: ["Handoff", "HandoffApp"],
            path: "Tests/SourceCompatibility/Snippets", swiftSettings: settings),

        // MARK: Test support
        library(
            "HandoffTesting",
            ["HandoffCore", "HandoffDaemon", "HandoffTrust", "HandoffWire", .log], in: "TestSupport"),
        library(
            "HandoffTestKit",
            [
                "Handoff", "HandoffApp", "HandoffClient", "HandoffCore", "HandoffDaemon", "HandoffSystem",
                "HandoffTesting", "HandoffTrust", "HandoffWire",
            ]),
        library(
            "HandoffMeasuring", ["Handoff", "HandoffClient", "HandoffSystem", "HandoffTrust", "HandoffWire"],
            in: "TestSupport"),
        library(
            "HandoffFuzzing",
            [
                "Handoff", "HandoffAdapters", "HandoffApp", "HandoffBrowserHost", "HandoffBus", "HandoffClient",
                "HandoffCore", "HandoffDaemon", "HandoffDesktop", "HandoffHost", "HandoffIcons", "HandoffSiteMessages",
                "HandoffTesting", "HandoffTrust", "HandoffWire", .crypto, .log,
            ], in: "TestSupport"),

        // MARK: Tests
        // Programs that tests start and wait for.
        library("TestPrograms", ["HandoffSystem"], in: "TestSupport"),
        // Real D-Bus daemons, and the calls that tests make on them.
        library("TestBuses", ["HandoffBus", "HandoffSystem", "TestPrograms"], in: "TestSupport"),
        tests("HandoffWireTests", ["HandoffWire", "HandoffTesting"]),
        tests("HandoffCoreTests", ["HandoffCore", "HandoffTesting", "HandoffTrust", "HandoffWire"]),
        tests(
            "HandoffTrustTests",
            [
                "HandoffCore", "HandoffMeasuring", "HandoffTesting", "HandoffTrust", "HandoffWire", .asn1, .crypto,
                .x509,
            ]),
        tests(
            "HandoffNetTests",
            [
                "HandoffCore", "HandoffDaemon", "HandoffHost", "HandoffNet", "HandoffSiteMessages", "HandoffSystem",
                "HandoffTesting",
                "HandoffTrust", "HandoffWebFetch", "HandoffWire", "TestPrograms", "handoff-web-fetch",
                .asn1, .crypto, .log, .nioCore, .nioEmbedded, .nioHTTP1, .nioPosix, .nioSSL, .x509,
            ]),
        tests(
            "HandoffCommandTests",
            [
                "HandoffBrowserHost", "HandoffCommand", "HandoffSystem", "HandoffWire", "TestPrograms",
                "handoff-browser-host",
                "handoff-programs", "handoffd", .argumentParser, .crypto,
            ],
            resources: [.copy("Transcripts")]),
        tests(
            "HandoffHostTests",
            [
                "HandoffCore", "HandoffHost", "HandoffSystem", "HandoffTesting", "HandoffTrust", "HandoffWire",
                "TestPrograms", .log,
            ]),
        tests(
            "HandoffDaemonTests",
            ["HandoffCore", "HandoffDaemon", "HandoffTesting", "HandoffTrust", "HandoffWire", .log]),
        tests(
            "HandoffHistoryTests",
            [
                "HandoffCore", "HandoffHistory", "HandoffHost", "HandoffSystem", "HandoffTesting", "HandoffWire",
                "TestPrograms", "handoff-history", .grdb,
            ]),
        tests("HandoffStringsTests", ["HandoffWire", "HandoffStrings"]),
        tests("HandoffBusTests", ["HandoffBus", "TestBuses"]),
        tests(
            "HandoffDesktopTests",
            [
                "CHandoffSystem", "HandoffApp", "HandoffBus", "HandoffClient", "HandoffCore", "HandoffDaemon",
                "HandoffDesktop", "HandoffIcons",
                "HandoffSystem", "HandoffTesting", "HandoffWire", "HandoffStrings", "TestBuses", "TestPrograms",
                "handoff-adapters", "handoff-bus",
                "handoff-programs", "handoffd",
            ]),
        tests(
            "HandoffWindowModelTests",
            [
                "HandoffBrowserHost", "HandoffClient", "HandoffCore", "HandoffIcons", "HandoffWindowModel",
                "HandoffWire",
                "HandoffStrings", "TestPrograms", "handoff-programs", "handoffd",
            ]),
        tests(
            "HandoffAdaptersTests",
            [
                "HandoffAdapters", "HandoffBus", "HandoffCore", "HandoffStrings", "HandoffWire", "TestBuses",
                "TestPrograms",
            ]),
        tests(
            "HandoffBrowserHostTests",
            ["HandoffBrowserHost", "HandoffClient", "HandoffIcons", "HandoffWire", "TestPrograms"]),
        tests(
            "HandoffFuzzingTests",
            [
                "HandoffAdapters", "HandoffApp", "HandoffBrowserHost", "HandoffCore", "HandoffDaemon", "HandoffFuzzing",
                "HandoffIcons", "HandoffSiteMessages",
                "HandoffTesting", "HandoffTrust", "HandoffWire",
            ]),
        tests(
            "HandoffScenarioTests",
            [
                "HandoffClient", "HandoffCore", "HandoffDaemon", "HandoffNet", "HandoffTesting", "HandoffTrust",
                "HandoffWire", .log, .nioCore, .nioPosix,
            ]),
        tests(
            "HandoffTests",
            [
                "Handoff", "HandoffApp", "HandoffBrowserHost", "HandoffClient", "HandoffSystem", "HandoffTesting",
                "HandoffWire", "TestPrograms",
            ]),
        // Calls that end the process. Separate, because `#expect(processExitsWith:)` and tests that start programs would wait
        // for each other's processes.
        tests(
            "HandoffExitTests",
            ["Handoff", "HandoffApp", "HandoffCore", "HandoffHost", "HandoffSystem", "HandoffTrust", "HandoffWire"]),
        tests("HandoffTestKitTests", ["HandoffApp", "HandoffTestKit"]),
        .testTarget(
            name: "SourceCompatibilityTests",
            dependencies: [
                "HandoffApp", "HandoffTestKit", "PhotoHandoff", "PortedApps", "PortedAppsSwift5", "PortedLetters",
                "PortedLettersSwift5", "TestPrograms", "handoff-history", "handoff-programs", "handoffd",
            ],
            path: "Tests/SourceCompatibility/Tests", swiftSettings: settings),
        .testTarget(
            name: "ToDoTests", dependencies: ["HandoffApp", "HandoffTestKit", "ToDo"],
            path: "Examples/ToDo/Tests/ToDoTests", swiftSettings: settings),
        .testTarget(
            name: "PhotoHandoffTests", dependencies: ["HandoffApp", "HandoffTestKit", "PhotoHandoff"],
            path: "Examples/PhotoHandoff/Tests/PhotoHandoffTests", swiftSettings: settings),
        .testTarget(
            name: "MonkeyBrowserModelTests", dependencies: ["MonkeyBrowserModel"],
            path: "Examples/MonkeyBrowser/Tests/MonkeyBrowserModelTests", swiftSettings: settings),
    ]
)

// MARK: Built on request

if hasWindows {
    package.products.append(.executable(name: "handoff-desktop", targets: ["handoff-desktop"]))
    package.targets += [
        // The window: libadwaita, and QR codes.
        system("CAdwaita", "libadwaita-1", "libadwaita-1-dev"),
        system("CQREncode", "libqrencode", "libqrencode-dev"),
        library(
            "HandoffWindow",
            [
                "CAdwaita", "CGTK", "CQREncode", "HandoffClient", "HandoffGTKCalls", "HandoffIcons", "HandoffSystem",
                "HandoffWindowModel", "HandoffWire", "HandoffStrings",
            ]),
        program("handoff-desktop", ["HandoffWindow"]),
        // A GTK app with documents.
        .executableTarget(
            name: "TextEditor", dependencies: ["HandoffGTK"], path: "Examples/TextEditor/Sources/TextEditor",
            swiftSettings: settings),
        // MonkeyBrowser with windows that show the pages. Without a display it runs in the terminal.
        .systemLibrary(
            name: "CWebKitGTK", path: "Examples/MonkeyBrowser/Sources/CWebKitGTK", pkgConfig: "webkitgtk-6.0",
            providers: [.apt(["libwebkitgtk-6.0-dev"])]),
        .executableTarget(
            name: "MonkeyBrowserWindow",
            dependencies: ["CWebKitGTK", "HandoffGTK", "MonkeyBrowserModel", "MonkeyBrowserTerminal"],
            path: "Examples/MonkeyBrowser/Sources/MonkeyBrowserWindow", swiftSettings: settings),
        // The code of the article on GTK.
        .executableTarget(
            name: "GTKSnippets", dependencies: ["HandoffGTK"], path: "Tests/SourceCompatibility/GTKSnippets",
            swiftSettings: settings),
        // An app that creates its windows with another binding.
        .executableTarget(
            name: "GTKBindings", dependencies: ["HandoffGTK"], path: "Tests/SourceCompatibility/GTKBindings",
            swiftSettings: settings),
        tests("HandoffGTKTests", ["GTKSnippets", "HandoffGTK", "TestPrograms", "TextEditor"]),
        tests("HandoffWindowTests", ["HandoffIcons", "TestPrograms", "handoff-desktop"]),
    ]
}

// The programs of `Benchmarks`: `make bench`. In this package, so that the modules are built only once.
if Context.environment["HANDOFF_BENCHMARKS"] != nil {
    func bench(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
        .executableTarget(
            name: "bench-\(name)", dependencies: ["BenchClock"] + dependencies,
            path: "Benchmarks/Sources/bench-\(name)", swiftSettings: settings)
    }
    package.targets += [
        .target(name: "BenchClock", path: "Benchmarks/Sources/BenchClock", swiftSettings: settings),
        bench("activity", ["HandoffMeasuring"]),
        bench("app", ["Handoff", "HandoffApp"]),
        bench("bare", []),
        bench("client", []),
        bench("documents", ["Handoff", "HandoffApp"]),
        bench("history", ["HandoffCore", "HandoffHost", "HandoffSystem", "HandoffWire"]),
        bench("linked", ["Handoff"]),
        bench("publisher", ["Handoff", "HandoffApp"]),
        bench("roster", ["HandoffMeasuring"]),
        bench("sites", ["HandoffMeasuring"]),
        bench("streams", ["Handoff", "HandoffApp"]),
        bench("suggestions", []),
        // In C.
        .executableTarget(name: "bench-floor", path: "Benchmarks/Sources/bench-floor"),
        .executableTarget(name: "bench-relay", path: "Benchmarks/Sources/bench-relay"),
    ]
}

// Builds only the named targets and their dependencies: `make demo`, `Scripts/sanitize`. Separated by spaces.
if let wanted = Context.environment["HANDOFF_TARGETS"] {
    var needed: Set<String> = []
    func need(_ name: String) {
        guard needed.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else {
            return
        }
        for case .byNameItem(let dependency, _) in target.dependencies { need(dependency) }
    }
    wanted.split(separator: " ").forEach { need(String($0)) }
    package.targets.removeAll { !needed.contains($0.name) }
    let missing = needed.subtracting(package.targets.map(\.name))
    precondition(missing.isEmpty, "HANDOFF_TARGETS names unknown targets: \(missing)")
    package.products.removeAll { !Set(targets(of: $0)).isSubset(of: needed) }
}

func targets(of product: Product) -> [String] {
    (product as? Product.Library)?.targets ?? (product as? Product.Executable)?.targets ?? []
}
