// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffWire
import Logging
import TestPrograms
import Testing

@testable import HandoffHost

/// The catalogue with worker threads.
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

    @Test func queryDuringAReloadSeesTheReloadedApps() throws {
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

    @Test func fullWorkQueueFailsReloadAndOwnerQuery() throws {
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

    // MARK: Unresponsive disks

    /// Two more apps: one with its program on an unresponsive mount, and one that is fine.
    private func catalogWithADeadMount(_ mount: SilentFileSystem) throws -> BundleCatalog {
        var entry = SampleEntry()
        entry.exec = mount.program
        try entry.write("com.example.away", in: home)
        entry.exec = try home.program("bin/notes")
        try entry.write(in: home)
        let catalog = BundleCatalog(
            directory: home.path("apps"), installs: home.path("installs"),
            entries: EntryFolders(environment: home.desktop), work: bench.work, patience: .milliseconds(200),
            readingTime: .milliseconds(500), log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        catalog.reload()
        try #require(catalog.apps.count == 2, "\(catalog.problems)")
        mount.fallSilent()
        return catalog
    }

    /// More of them than there are threads for this.
    @Test(.enabled(if: SilentFileSystem.isPossible)) func aProgramOnADeadMountHoldsUpNoOthersIdentification() throws {
        let mount = try SilentFileSystem(serving: "/bin/true")
        let catalog = try catalogWithADeadMount(mount)
        var owners: [ProgramOwner] = []
        func ask(_ program: RunningProgram) { catalog.owner(of: program) { owners.append((try? $0.get()) ?? .nobody) } }
        let silent = RunningProgram(path: mount.program, device: 1, inode: 2)
        for _ in 0..<4 { ask(silent) }
        ask(try RunningProgram(runs: home.path("bin/notes")))
        ask(try RunningProgram(path: "/elsewhere", runs: home.path("bin/notes")))
        #expect(bench.run { owners.count == 6 })
        let notes = ProgramOwner.app(try BundleID("com.example.notes"))
        #expect(owners.filter { $0 == notes }.count == 2 && owners.filter { $0 == .nobody }.count == 4)
    }

    @Test(.enabled(if: SilentFileSystem.isPossible)) func aReloadEndsThoughADiskDoesNotAnswer() throws {
        let mount = try SilentFileSystem(serving: "/bin/true")
        let catalog = try catalogWithADeadMount(mount)
        var isReloaded = false
        catalog.reload { _ in isReloaded = true }
        #expect(bench.run { isReloaded })
        #expect(catalog.apps.count == 2)
        #expect(
            catalog.problems.count == 1
                && catalog.problems[0].hasPrefix("a disk with an app or a desktop entry does not respond"))
    }

    @Test(.enabled(if: SilentFileSystem.isPossible)) func aFolderOfEntriesOnADeadMountIsSkipped() throws {
        let mount = try SilentFileSystem(serving: "/bin/true")
        let silent = URL(filePath: mount.program).deletingLastPathComponent().path
        mount.fallSilent()
        var entry = SampleEntry()
        entry.exec = try home.program("bin/notes")
        try entry.write(in: home)
        let catalog = home.catalogWithEntries(
            ["XDG_DATA_DIRS": "\(silent):\(home.path("local"))"], patience: .milliseconds(200))
        #expect(catalog.apps.map(\.bundle) == [try BundleID("com.example.notes")])
        #expect(catalog.problems == ["the folder \(silent) does not respond, so its last known apps are used"])
    }

    /// A link that leads to the mount from now on.
    @Test(.enabled(if: SilentFileSystem.isPossible)) func appsOfAFolderThatStopsRespondingStay() throws {
        let mount = try SilentFileSystem(serving: "/bin/true")
        mount.fallSilent()
        var entry = SampleEntry()
        entry.exec = try home.program("bin/notes")
        try entry.write(in: home)
        let folder = home.path("own/applications")
        let catalog = home.catalogWithEntries(patience: .milliseconds(200))
        let apps = catalog.apps
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createSymbolicLink(
            atPath: folder, withDestinationPath: URL(filePath: mount.program).deletingLastPathComponent().path)
        catalog.reload()
        #expect(catalog.apps == apps && apps.count == 1)
        #expect(catalog.problems.contains { $0.contains("its last known apps are used") })
    }

    @Test func afterTheStopNoCallIsAnswered() throws {
        let catalog = catalog()
        var isAnswered = false
        catalog.reload { _ in isAnswered = true }
        bench.work.stop()
        catalog.owner(of: RunningProgram(path: "/usr/bin/x", device: 1, inode: 1)) { _ in isAnswered = true }
        #expect(!isAnswered && catalog.apps.isEmpty)
    }
}
