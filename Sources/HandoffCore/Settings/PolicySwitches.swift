// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The user's switches, which end at a time or never, and the user's system programs. Kept across restarts.
package struct PolicySwitches: Hashable, Sendable {
    package static let maximum = 512
    package static let maximumPrograms = 128

    private var ends: [PolicySubject: End] = [:]
    /// Advertised; others are not.
    package private(set) var programs: Set<BundleID> = []

    private enum End: Hashable, Sendable {
        case never
        case at(WallTime)
    }

    package init() {}

    /// For an unreadable file: nothing that was off may be on.
    package static var allOff: PolicySwitches {
        var switches = PolicySwitches()
        for direction in HandoffDirection.allCases { switches.ends[PolicySubject(direction)] = .never }
        return switches
    }

    /// Throws `.limitReached`. A past time switches nothing off. A system program that is off permanently has no
    /// switch: it is off unless switched on.
    package mutating func apply(_ change: PolicyChange, wall: WallTime) throws(Failure) {
        expire(wall: wall)
        if let program = change.subject.program, change.until == nil {
            if change.isOff { programs.remove(program) } else { try add(program) }
            ends[change.subject] = nil
            return
        }
        guard change.isOff else {
            ends[change.subject] = nil
            return
        }
        guard ends.count < Self.maximum || ends[change.subject] != nil else {
            throw Failure(.limitReached, "at most \(Self.maximum) switches are kept")
        }
        ends[change.subject] = change.until.map(End.at) ?? .never
        expire(wall: wall)
    }

    private mutating func add(_ program: BundleID) throws(Failure) {
        guard programs.count < Self.maximumPrograms || programs.contains(program) else {
            throw Failure(.limitReached, "at most \(Self.maximumPrograms) programs can be switched on")
        }
        programs.insert(program)
    }

    @discardableResult
    package mutating func expire(wall: WallTime) -> Bool {
        let count = ends.count
        ends = ends.filter { isOff($0.key, wall: wall) }
        return ends.count != count
    }

    package func isOff(_ subject: PolicySubject, wall: WallTime) -> Bool {
        switch ends[subject] {
        case nil: subject.program.map { !programs.contains($0) } ?? false
        case .never?: true
        case .at(let end)?: wall < end
        }
    }

    package func off(_ subject: PolicySubject, wall: WallTime) -> PolicySwitch? {
        guard isOff(subject, wall: wall) else { return nil }
        return PolicySwitch(subject, until: end(of: subject))
    }

    package func all(wall: WallTime) -> [PolicySwitch] {
        ends.keys.sorted(by: PolicySubject.inOrder).compactMap { off($0, wall: wall) }
    }

    package var nextEnd: WallTime? { ends.keys.compactMap(end).min() }

    private func end(of subject: PolicySubject) -> WallTime? {
        guard case .at(let end)? = ends[subject] else { return nil }
        return end
    }
}

/// The first line names the format. Each other line is a switch, `DIRECTION BUNDLE END`. `*`: the whole device or no
/// end. The end: milliseconds since 1970. `advertising PROGRAM on`: a switched-on system program.
extension PolicySwitches {
    private static let heading = "handoff-policy 1"
    private static let on = "on"

    package func encoded() -> [UInt8] {
        let lines = ends.keys.sorted(by: PolicySubject.inOrder).map { subject in
            let end = end(of: subject).map { String($0.milliseconds) } ?? "*"
            return "\(subject.direction.word) \(subject.bundle?.name ?? "*") \(end)"
        }
        let programs = self.programs.sorted().map { "\(HandoffDirection.advertising.word) \($0) \(Self.on)" }
        return Array(([Self.heading] + lines + programs).joined(separator: "\n").utf8) + [UInt8(ascii: "\n")]
    }

    package init(encoded bytes: [UInt8]) throws(WireError) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw WireError(.malformed, "the policy is not text")
        }
        let lines = text.split(separator: "\n")
        guard lines.first.map(String.init) == Self.heading else { throw WireError(.malformed, "not a policy") }
        for line in lines.dropFirst() {
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 3, let direction = HandoffDirection(word: words[0]) else {
                throw WireError(.malformed, "a switch is a direction, an app and an end")
            }
            let subject = PolicySubject(direction, of: words[1] == "*" ? nil : try BundleID(appOrProgram: words[1]))
            if words[2] == Self.on {
                guard let program = subject.program else {
                    throw WireError(.malformed, "only a system program's advertising is switched on")
                }
                programs.insert(program)
            } else if words[2] == "*" {
                ends[subject] = .never
            } else if let end = Int64(words[2]) {
                ends[subject] = .at(WallTime(milliseconds: end))
            } else {
                throw WireError(.malformed, "a switch must end at a time or never")
            }
            guard ends.count <= Self.maximum, programs.count <= Self.maximumPrograms else {
                throw WireError(.limitReached, "too many switches")
            }
        }
    }
}

extension HandoffDirection {
    package var word: String {
        switch self {
        case .advertising: "advertising"
        case .receiving: "receiving"
        case .history: "history"
        }
    }

    package init?(word: String) {
        guard let direction = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = direction
    }
}

extension PolicySubject {
    /// Advertising of a system program, which is off unless switched on.
    var program: BundleID? { direction == .advertising && bundle?.isSystemProgram == true ? bundle : nil }

    package static func inOrder(_ left: Self, _ right: Self) -> Bool {
        (left.bundle?.name ?? "", left.direction.rawValue) < (right.bundle?.name ?? "", right.direction.rawValue)
    }
}
