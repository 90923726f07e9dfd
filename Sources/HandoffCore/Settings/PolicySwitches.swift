// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Switched off by the user, for a time or permanently. Kept across restarts.
package struct PolicySwitches: Hashable, Sendable {
    package static let maximum = 512

    private var ends: [PolicySubject: End] = [:]

    private enum End: Hashable, Sendable {
        case never
        case at(WallTime)
    }

    package init() {}

    /// If the file is unreadable: nothing that was off may be on.
    package static var allOff: PolicySwitches {
        var switches = PolicySwitches()
        for direction in HandoffDirection.allCases { switches.ends[PolicySubject(direction)] = .never }
        return switches
    }

    /// Throws `.limitReached`. A past time switches nothing off.
    package mutating func apply(_ change: PolicyChange, wall: WallTime) throws(Failure) {
        expire(wall: wall)
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

    @discardableResult
    package mutating func expire(wall: WallTime) -> Bool {
        let count = ends.count
        ends = ends.filter { isOff($0.key, wall: wall) }
        return ends.count != count
    }

    package func isOff(_ subject: PolicySubject, wall: WallTime) -> Bool {
        switch ends[subject] {
        case nil: false
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

/// The first line names the format. Each other line is a switch, `DIRECTION BUNDLE END`. `*` means the whole device or
/// no end. The end is in milliseconds since 1970.
extension PolicySwitches {
    private static let heading = "handoff-policy 1"

    package func encoded() -> [UInt8] {
        let lines = ends.keys.sorted(by: PolicySubject.inOrder).map { subject in
            let end = end(of: subject).map { String($0.milliseconds) } ?? "*"
            return "\(subject.direction.word) \(subject.bundle?.name ?? "*") \(end)"
        }
        return Array(([Self.heading] + lines).joined(separator: "\n").utf8) + [UInt8(ascii: "\n")]
    }

    package init(encoded bytes: [UInt8]) throws(WireError) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw WireError(.malformed, "the policy is not text")
        }
        let lines = text.split(separator: "\n")
        guard lines.first.map(String.init) == Self.heading else { throw WireError(.malformed, "not a policy") }
        guard lines.count <= 1 + Self.maximum else { throw WireError(.limitReached, "too many switches") }
        for line in lines.dropFirst() {
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 3, let direction = HandoffDirection(word: words[0]) else {
                throw WireError(.malformed, "a switch is a direction, an app and an end")
            }
            let subject = PolicySubject(direction, of: words[1] == "*" ? nil : try BundleID(words[1]))
            if words[2] == "*" {
                ends[subject] = .never
            } else if let end = Int64(words[2]) {
                ends[subject] = .at(WallTime(milliseconds: end))
            } else {
                throw WireError(.malformed, "a switch must end at a time or never")
            }
        }
    }
}

extension HandoffDirection {
    package var word: String {
        switch self {
        case .advertising: "advertising"
        case .receiving: "receiving"
        }
    }

    package init?(word: String) {
        guard let direction = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = direction
    }
}

extension PolicySubject {
    package static func inOrder(_ left: Self, _ right: Self) -> Bool {
        (left.bundle?.name ?? "", left.direction.rawValue) < (right.bundle?.name ?? "", right.direction.rawValue)
    }
}
