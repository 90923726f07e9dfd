// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffHost
import HandoffWire
import Logging
import Testing

/// The catalogue with threads to work on.
@Suite struct CatalogWorkTests {
    private let home = TemporaryDirectory()
    private let bench = WorkBench(.threads)

    private func catalog() -> BundleCatalog {
        BundleCatalog(
            directory: home.path("apps"), installs: home.path("installs"), work: bench.work,
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    // Shows T09.
    @Test func executablesAreReadBesideTheLoop() throws {
        _ = try home.install(SampleTeam.notes.sign(SampleBundle().write("Notes.app", in: home)))
        let catalog = catalog()
        catalog.reload()
        let app = try #require(catalog.apps.first)
        let program = try RunningProgram(runs: app.executable)
        var owners: [ProgramOwner] = []
        catalog.owner(of: program) { if let owner = try? $0.get() { owners.append(owner) } }
        #expect(owners.isEmpty)
        #expect(bench.run { owners.count == 1 })
        try Data("other".utf8).write(to: URL(filePath: app.executable))
        catalog.owner(of: program) { if let owner = try? $0.get() { owners.append(owner) } }
        #expect(bench.run { owners.count == 2 })
        #expect(owners == [.app(app.bundle), .altered(app.bundle)])
    }

    @Test func whoAsksDuringAReloadIsAnsweredAsOfIt() throws {
        let catalog = catalog()
        catalog.reload()
        _ = try home.install(SampleTeam.notes.sign(SampleBundle().write("Notes.app", in: home)))
        let program = try RunningProgram(runs: #require(home.catalog().apps.first).executable)
        var course: [String] = []
        catalog.reload { _ in course.append("reloaded: \(catalog.apps.count)") }
        catalog.owner(of: program) { owner in course.append((try? owner.get()) == .nobody ? "nobody" : "the app") }
        #expect(catalog.apps.isEmpty)
        #expect(bench.run { course.count == 2 })
        #expect(course == ["reloaded: 1", "the app"])
    }

    @Test func aVerdictThatAReloadOvertookIsAskedForAgain() throws {
        _ = try home.install(SampleTeam.notes.sign(SampleBundle().write("Notes.app", in: home)))
        let catalog = catalog()
        catalog.reload()
        let app = try #require(catalog.apps.first)
        let program = try RunningProgram(runs: app.executable)
        var course: [String] = []
        catalog.owner(of: program) { owner in course.append((try? owner.get()) == .nobody ? "nobody" : "the app") }
        try FileManager.default.removeItem(atPath: app.path)
        catalog.reload { _ in course.append("reloaded: \(catalog.apps.count)") }
        #expect(bench.run { course.count == 2 })
        #expect(course == ["reloaded: 0", "nobody"])
    }

    @Test func whereTooMuchWaitsAReloadAndAVerdictFail() throws {
        var limits = WorkLimits()
        limits.waiting = 0
        let bench = WorkBench(.threads, limits: limits)
        let catalog = BundleCatalog(
            directory: home.path("apps"), installs: home.path("installs"), work: bench.work,
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        var failures: [Failure] = []
        catalog.reload { if case .failure(let failure) = $0 { failures.append(failure) } }
        catalog.owner(of: RunningProgram(path: "/usr/bin/x", device: 1, inode: 1)) {
            if case .failure(let failure) = $0 { failures.append(failure) }
        }
        #expect(failures == [Failure(.limitReached, ""), Failure(.limitReached, "")])
    }

    @Test func afterTheStopNobodyIsAnswered() throws {
        let catalog = catalog()
        var isAnswered = false
        catalog.reload { _ in isAnswered = true }
        bench.work.stop()
        catalog.owner(of: RunningProgram(path: "/usr/bin/x", device: 1, inode: 1)) { _ in isAnswered = true }
        #expect(!isAnswered && catalog.apps.isEmpty)
    }
}
