// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffBus
import HandoffCore
import HandoffSystem
import HandoffWire

final class ReportedPrograms: InstanceFinder {
    /// Up to the shell's terminal, past tools such as `script` and `sudo`.
    static let maximumAncestors = 8
    /// They run shells apart from the terminals that show them.
    static let multiplexers: Set = ["tmux", "screen"]
    /// Processes of the machine among which their clients are looked for.
    static let maximumProcesses = 8192

    private struct Found: Sendable {
        let process: Int32
        let report: ProgramReport
        /// The process, its ancestors, and the clients of its multiplexer. Empty if it is followed already.
        let line: [Ancestor]
    }

    private struct Ancestor: Sendable {
        let process: Int32
        /// The name of its executable.
        let name: String
    }

    private struct Reading: Sendable {
        let processes: Set<Int32>
        let found: [Found]
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
            Self.read(folder, known: known)
        }) { [weak self] (reading: Reading?) in
            guard let self else { return }
            isReading = false
            // Nil: too many threads wait for a mount.
            if let reading { take(reading) }
            guard isDue else { return }
            isDue = false
            look()
        }
    }

    private static func read(_ folder: ReportFolder, known: Set<Int32>) -> Reading {
        let files = folder.files()
        let found = files.compactMap { file -> Found? in
            guard let report = file.report else { return nil }
            if known.contains(file.process) { return Found(process: file.process, report: report, line: []) }
            guard let line = wholeLine(from: file.process) else {
                folder.forget(file.process)
                return nil
            }
            return Found(process: file.process, report: report, line: line)
        }
        return Reading(processes: Set(files.map(\.process)), found: found)
    }

    /// Nil: it has ended, or is another user's.
    private static func wholeLine(from number: Int32) -> [Ancestor]? {
        guard isOwn(number) else { return nil }
        let line = line(from: number)
        guard let index = line.firstIndex(where: { multiplexers.contains($0.name) }) else { return line }
        // The server's ancestors are not the terminals that show it.
        let server = line[index]
        return line[...index] + clients(of: server.name, server.process).flatMap { Self.line(from: $0) }
    }

    private static func isOwn(_ process: Int32) -> Bool {
        var status = stat()
        return stat("/proc/\(process)", &status) == 0 && status.st_uid == geteuid()
    }

    private static func clients(of multiplexer: String, _ server: Int32) -> [Int32] {
        let entries = (try? OpenFile.open("/proc", O_RDONLY | O_DIRECTORY).names(atMost: maximumProcesses)) ?? []
        return entries.compactMap { Int32(String(decoding: $0, as: UTF8.self)) }.filter {
            $0 != server && isOwn($0) && ProgramName.of($0) == multiplexer
        }
    }

    private static func line(from process: Int32) -> [Ancestor] {
        var line: [Ancestor] = []
        var process = process
        while process > 1, line.count < maximumAncestors {
            if let name = ProgramName.of(process) { line.append(Ancestor(process: process, name: name)) }
            process = ProcessParent.of(process) ?? 0
        }
        return line
    }

    private func take(_ reading: Reading) {
        let ended = Set(followed.keys).subtracting(reading.processes)
        for process in ended {
            followed[process] = nil
            tools.offers.left(InstanceName(process))
        }
        // The latest report last, so that its program is in front.
        for found in reading.found.sorted(by: { $0.report.time.lexicographicallyPrecedes($1.report.time) }) {
            let process = found.process
            if let instance = followed[process] {
                instance.take(found.report)
            } else if let program = program(of: found), tools.offers.followed < ProgramOffers.maximum {
                // Changes the folder.
                let instance = FollowedReport(process, tools.following) { [folder] in folder.forget(process) }
                followed[process] = instance
                tools.offers.follow(InstanceName(process), instance, of: program, in: found.line.map(\.process))
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
        case .mail: content = .mail
        }
        let programs = tools.programs.filter { $0.content == content }
        let known = found.line.lazy.compactMap { each in programs.first { $0.processes.contains(each.name) } }.first
        return known.flatMap { try? BundleID(systemProgram: $0.entry) }
    }
}

extension InstanceName {
    init(_ process: Int32) { self.init("\(process)") }
}

enum ProcessParent {
    /// Nil if there is no such process. 0: the process has none.
    static func of(_ process: Int32) -> Int32? {
        // The name, in parentheses, may contain anything: "7 (a) b) S 1 …".
        guard let text = OpenFile.text(of: "/proc/\(process)/stat"), let end = text.lastIndex(of: ")") else {
            return nil
        }
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.count > 1 ? Int32(fields[1]) : nil
    }
}
