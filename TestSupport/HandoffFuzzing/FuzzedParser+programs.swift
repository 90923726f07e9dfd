// SPDX-License-Identifier: Apache-2.0

internal import HandoffAdapters
internal import HandoffBus
internal import HandoffCore
internal import HandoffDesktop
internal import HandoffWire

extension FuzzedParser {
    /// About programs as they are: from the user's programs, from other devices, and from sandboxes.
    static let programs = [programReport, programState, programDescription, flatpakInfo, recentFiles, swayEvents]

    private static let programReport = FuzzedParser("program-report") { bytes in
        guard let report = ProgramReport(bytes: bytes, time: [0, 0]) else { return .refused }
        guard case .editor(let path, let place) = report.content else { return .taken }
        guard case .cursor(let line, let column)? = place else { throw BrokenPromise("an editor without a cursor") }
        try promise(line >= 1 && column >= 1, "a cursor at \(line), \(column)")
        try promise(path == nil || path?.bytes.first == UInt8(ascii: "/"), "a file that is not absolute: \(report)")
        return .taken
    }

    private static let programState = FuzzedParser("program-state") { bytes in
        var source = BusValueSource(bytes)
        var values: [String: BusValue] = [:]
        for _ in 0..<source.count(below: 8) {
            values[stateKeys[source.count(below: stateKeys.count)]] = source.value(depth: 0)
        }
        guard let state = try? ProgramState(["user-info": .properties(values)]) else { return .refused }
        if case .page(let url) = state.source {
            let scheme = url.prefix { $0 != ":" }.lowercased()
            try promise(["http", "https"].contains(scheme), "an address that no browser opens: \(url)")
        }
        let again = try ProgramState(["user-info": state.userInfo])
        try promise(again == state, "\(state) was read back as \(again)")
        return .taken
    }

    private static let stateKeys = [
        "uri", "home-path", "size", "digest", "home-folder", "seconds", "page", "line", "column", "playing",
        "latitude", "longitude",
    ]

    private static let programDescription = FuzzedParser("program-description") { bytes in
        guard let program = try? ProgramDescription(bytes, entry: "org.example.Reader") else { return .refused }
        for clause in [program.reads, program.loses] {
            try promise(!clause.contains(where: \.isNewline), "a clause of several lines: \(clause)")
        }
        let again = try OpeningArguments(program.arguments.templates)
        try promise(again == program.arguments, "the arguments were read back as \(again)")
        for value in ["", "a", "-a", "{target}"] {
            guard let filled = try? program.arguments.filled({ _ in value }) else { continue }
            try promise(filled.count <= OpeningArguments.maximum, "\(filled.count) arguments")
            try promise(filled.allSatisfy { $0.utf8.count <= OpeningArguments.bytes }, "a long argument")
        }
        return .taken
    }

    private static let recentFiles = FuzzedParser("recent-files") { bytes in
        let list = String(decoding: bytes, as: UTF8.self)
        let urls = [nil, "gedit"].compactMap { RecentFiles.latest(in: list, by: $0) }
        try promise(urls.allSatisfy { $0.hasPrefix("file:") }, "no file: \(urls)")
        return urls.isEmpty ? .refused : .taken
    }

    private static let swayEvents = FuzzedParser("sway-events") { bytes in
        var stream = SwayStream()
        guard stream.take(bytes[...]) else { return .refused }
        var verdict = Verdict.refused
        while let message = stream.next() {
            try promise(message.body.count < bytes.count, "a message of \(message.body.count) bytes")
            if message.focusedProcess != nil { verdict = .taken }
        }
        return verdict
    }

    private static let flatpakInfo = FuzzedParser("flatpak-info") { bytes in
        guard case .app(let app) = FlatpakInfo(bytes) else { return .refused }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        try promise(lines.count { $0 == "name=\(app.name)" } >= 1, "\(app) is in no line")
        return .taken
    }
}
