// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffSystem
import HandoffWire
import Logging
import Testing

@testable import HandoffHost

/// Shows P02: the administrator's policy file.
@Suite struct AdministratorPolicyFileTests {
    private let directory = TemporaryDirectory()
    private let log = Logger(label: "policy") { _ in SwiftLogNoOpLogHandler() }

    private func ruled(_ text: String) throws -> AdministratorPolicy {
        try directory.file("etc/policy.json", text)
        return AdministratorPolicyFile(path: directory.path("etc/policy.json"), log: log, onLoop: { $0() }).read()
    }

    @Test func noFileSwitchesNothingOff() {
        let file = AdministratorPolicyFile(path: directory.path("etc/policy.json"), log: log, onLoop: { $0() })
        #expect(file.read() == AdministratorPolicy())
    }

    @Test func falseSwitchesOff() throws {
        let notes = try BundleID("com.example.notes")
        let policy = try ruled(
            """
            {"advertising": false, "receiving": true,
             "apps": {"com.example.notes": {"receiving": false}, "com.example.mail": {"receiving": true}}}
            """)
        #expect(policy.off == [PolicySubject(.advertising), PolicySubject(.receiving, of: notes)])
        #expect(policy.problem == nil)
    }

    // Shows N11.
    @Test func managedDevicesAreReported() throws {
        #expect(try ruled("{}").isManaged == false)
        #expect(try ruled("{\"managed\": false}").isManaged == false)
        let policy = try ruled("{\"managed\": true}")
        #expect(policy.isManaged)
        #expect(policy.off.isEmpty && policy.problem == nil)
    }

    @Test(arguments: [
        ("{\"advertise\": false}", "\"advertise\" is none of advertising, receiving and history"),
        ("{\"advertising\": \"no\"}", "advertising is not true or false"),
        ("{\"apps\": {\"../notes\": {}}}", "\"../notes\" is not a bundle identifier"),
        (
            "{\"apps\": {\"com.example.notes\": {\"sending\": false}}}",
            "\"sending\" is none of advertising, receiving and history"
        ),
        ("{\"managed\": \"yes\"}", "managed is not true or false"),
        (
            "{\"apps\": {\"com.example.notes\": {\"managed\": true}}}",
            "\"managed\" is none of advertising, receiving and history"
        ),
        ("{", "it is not a JSON object"), ("", "it is not a JSON object"),
    ])
    func fileThatCannotBeUnderstoodSwitchesEverythingOff(text: String, reason: String) throws {
        let policy = try ruled(text)
        #expect(policy.off == Set(HandoffDirection.allCases.map { PolicySubject($0) }))
        #expect(policy.problem?.hasSuffix("cannot be used, so everything is off: \(reason)") == true)
    }

    @Test func fileThatIsTooLargeSwitchesEverythingOff() throws {
        let text = "{" + String(repeating: " ", count: AdministratorPolicyFile.bytes) + "}"
        #expect(try ruled(text).problem?.contains("larger than") == true)
    }

    /// The folder is created later, and the watch still detects it.
    @Test func changesAreReported() async throws {
        let path = directory.path("etc/policy.json")
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
        let file = AdministratorPolicyFile(path: path, log: log, onLoop: { $0() })
        file.watch { continuation.yield() }
        #expect(file.read() == AdministratorPolicy())

        // Reads the policy after each notification, until it is `off`.
        func told(_ off: Set<PolicySubject>) async -> Bool {
            for await _ in changes where file.read().off == off { return true }
            return false
        }
        let ruled: Set = [PolicySubject(.advertising)]
        try directory.file("etc/policy.json", "{\"advertising\": false}")
        #expect(await told(ruled))
        try FileManager.default.removeItem(atPath: path)
        #expect(await told([]))
        try directory.file("etc/other.json", "{\"advertising\": false}")
        try FileManager.default.moveItem(atPath: directory.path("etc/other.json"), toPath: path)
        #expect(await told(ruled))
    }

    /// Once a watch is possible again, changes are reported at once.
    @Test func unwatchableFileIsReadPeriodically() async throws {
        let path = try directory.file("etc/policy.json", "{}")
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
        let watches = Lock(0)
        let words = Lock<[String]>([])
        let log = Logger(label: "policy") { _ in WrittenDown { line in words.withLock { $0.append(line) } } }
        let file = AdministratorPolicyFile(
            path: path, lookAgain: .milliseconds(1),
            makeWatch: { folder in
                let number = watches.withLock { count in
                    count += 1
                    return count
                }
                return FolderWatch(folder: number < 4 ? "" : folder, for: .changes)
            }, log: log, onLoop: { $0() })
        file.watch { continuation.yield() }
        try directory.file("etc/policy.json", "{\"advertising\": false}")
        for await _ in changes where file.read().off == [PolicySubject(.advertising)] { break }
        // Three failed attempts, and a successful one.
        for await _ in changes where watches.withLock({ $0 }) == 4 { break }
        try directory.file("etc/policy.json", "{}")
        for await _ in changes where file.read().off.isEmpty { break }
        #expect(watches.withLock { $0 } == 4)
        #expect(words.withLock { $0.count } == 1)
        #expect(words.withLock { $0.first?.contains("cannot be watched; it is read from time to time") } == true)
    }
}

/// The log of one test.
private struct WrittenDown: LogHandler {
    let write: @Sendable (String) -> Void
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.info

    init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { write("\(event.message)") }
}
