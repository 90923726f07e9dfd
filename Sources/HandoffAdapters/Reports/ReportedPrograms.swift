// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffBus
import HandoffCore
import HandoffSystem
import HandoffWire

/// Editors and shells, which write reports about themselves.
final class ReportedPrograms: InstanceFinder {
    /// Ancestors of a shell up to its terminal: tools such as `script` and `sudo` come between.
    static let maximumAncestors = 8

    private struct Found: Sendable {
        let report: ProgramReport
        /// Names of the executables of the process and its ancestors. Empty if it is followed already.
        let executables: [String]
    }

    private let tools: FinderTools
    private let folder: ReportFolder
    private let watch: FolderWatch
    private var changes: LoopWatch?
    private var followed: [Int32: FollowedReport] = [:]
    private var isReading = false
    private var isDue = false

    init(_ tools: FinderTools, in folder: ReportFolder) throws(BusFailure) {
        guard folder.create() else {
            throw BusFailure(BusFailure.failed, "\(folder.path) cannot be created, or belongs to another user")
        }
        self.tools = tools
        self.folder = folder
        watch = FolderWatch(folder: folder.path, for: .changes)
        guard !watch.isBlind else {
            throw BusFailure(BusFailure.failed, "the system has no inotify instance left")
        }
        changes = try tools.following.loop.watch(watch.descriptor) { [unowned self] in
            watch.takeChanges()
            look()
        }
        look()
    }

    // The loop must stop watching a descriptor before it is closed.
    deinit { changes = nil }

    private func look() {
        guard !isReading else {
            isDue = true
            return
        }
        isReading = true
        tools.following.offLoop.run({ [folder, known = Set(followed.keys)] in
            folder.reports().compactMap { report in
                if known.contains(report.process) { return Found(report: report, executables: []) }
                guard let executables = Self.executables(report.process) else {
                    folder.forget(report.process)
                    return nil
                }
                return Found(report: report, executables: executables)
            }
        }) { [weak self] (found: [Found]?) in
            guard let self else { return }
            isReading = false
            // Nil: too many threads wait for a mount.
            if let found { take(found) }
            guard isDue else { return }
            isDue = false
            look()
        }
    }

    /// Nil: it has ended, or is another user's.
    private static func executables(_ number: Int32) -> [String]? {
        var status = stat()
        guard stat("/proc/\(number)", &status) == 0, status.st_uid == geteuid() else { return nil }
        var executables: [String] = []
        var process = number
        while process > 1, executables.count < maximumAncestors {
            if let name = ProgramName.of(process) { executables.append(name) }
            process = ProcessParent.of(process) ?? 0
        }
        return executables
    }

    private func take(_ found: [Found]) {
        let ended = Set(followed.keys).subtracting(found.map(\.report.process))
        for process in ended {
            followed[process] = nil
            tools.offers.left(InstanceName(process))
        }
        // The latest report last, so that its program is in front.
        for found in found.sorted(by: { $0.report.time.lexicographicallyPrecedes($1.report.time) }) {
            let process = found.report.process
            if let instance = followed[process] {
                instance.take(found.report)
            } else if let program = program(of: found), tools.offers.followed < ProgramOffers.maximum {
                // Changes the folder.
                let instance = FollowedReport(process, tools.following) { [folder] in folder.forget(process) }
                followed[process] = instance
                tools.offers.follow(InstanceName(process), instance, of: program)
                instance.take(found.report)
            }
        }
    }

    /// The nearest process of a program that is on.
    private func program(of found: Found) -> BundleID? {
        let content: ProgramContent
        switch found.report.content {
        case .shell: content = .terminal
        case .editor: content = .text
        }
        let programs = tools.programs.filter { $0.content == content }
        let known = found.executables.lazy.compactMap { name in programs.first { $0.processes.contains(name) } }.first
        return known.flatMap { try? BundleID(systemProgram: $0.entry) }
    }
}

extension InstanceName {
    init(_ process: Int32) { self.init("\(process)") }
}
