// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The daemon outlives logins, so its own display may be old; desktops pass a new session's variables to the user's
/// service manager.
package struct PresentSession: Sendable {
    private static let patience = Duration.seconds(3)
    private static let answerBytes = 2 * 1024 * 1024
    /// From one source: they belong to one desktop.
    private static let displays: Set<String> = ["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY"]

    private let own: [String: String]
    /// The service manager started this program, so `own` is its older copy.
    private let isUnit: Bool

    package init(environment: [String: String], process: Int32 = getpid()) {
        own = SessionEnvironment.variables(of: environment)
        isUnit = environment["SYSTEMD_EXEC_PID"] == "\(process)"
    }

    /// Blocks for at most `patience`. Without a service manager, returns this program's variables.
    package func read() -> ProgramEnvironment {
        let inherited = managersVariables ?? [:]
        var variables = inherited
        if inherited.isEmpty || !isUnit {
            let hasDisplay = Self.displays.contains { inherited[$0] != nil }
            let missing = own.filter { !hasDisplay || !Self.displays.contains($0.key) }
            variables.merge(missing) { present, _ in present }
        }
        variables["PATH"] = ProgramFinder.commandLinePath(in: variables)
        return ProgramEnvironment(variables, inherited: inherited)
    }

    private var managersVariables: [String: String]? {
        guard TransientUnits.isManagerRunning(in: own),
            let answer = SpawnedProcess.output(
                of: "systemctl", ["--user", "show-environment"], environment: own, limit: Self.answerBytes,
                within: Self.patience)
        else { return nil }
        return Self.variables(listed: answer)
    }

    /// From `systemctl show-environment`: lines of `NAME=value`, or `NAME=$'value'` with C escapes.
    static func variables(listed bytes: [UInt8]) -> [String: String] {
        var variables: [String: String] = [:]
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let sign = line.firstIndex(of: UInt8(ascii: "=")), sign > line.startIndex else { continue }
            let value = line[line.index(after: sign)...]
            variables[String(decoding: line[..<sign], as: UTF8.self)] = String(decoding: plain(value), as: UTF8.self)
        }
        return variables
    }

    private static func plain(_ value: ArraySlice<UInt8>) -> [UInt8] {
        guard value.starts(with: "$'".utf8), value.last == UInt8(ascii: "'"), value.count >= 3 else {
            return Array(value)
        }
        var plain: [UInt8] = []
        var rest = value.dropFirst(2).dropLast()
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() else {
                plain.append(byte)
                continue
            }
            if let code = octal(escaped, rest.prefix(2)) {
                plain.append(code)
                rest = rest.dropFirst(2)
            } else {
                plain.append(named[escaped] ?? escaped)
            }
        }
        return plain
    }

    private static let named = Dictionary(
        zip("abfnrtv".utf8, [0x07, 0x08, 0x0C, 0x0A, 0x0D, 0x09, 0x0B] as [UInt8]),
        uniquingKeysWith: { first, _ in first })

    private static func octal(_ first: UInt8, _ others: ArraySlice<UInt8>) -> UInt8? {
        guard others.count == 2 else { return nil }
        return UInt8(String(decoding: [first] + others, as: UTF8.self), radix: 8)
    }
}
