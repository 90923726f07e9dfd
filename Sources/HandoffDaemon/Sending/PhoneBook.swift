// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// The phones that clients report. A report is valid as long as its connection.
struct PhoneBook {
    private var reports: [(client: ClientID, phones: [Phone])] = []
    /// Newest first; explains why a phone is not found. At most `Limits.phones`.
    private var departed: [Phone] = []

    /// By name. A phone that several programs are connected to is listed once, with the preferred link.
    var phones: [Phone] { Array(entries.map(\.phone).prefix(Limits.phones)) }

    private var entries: [(phone: Phone, client: ClientID)] {
        let all = reports.flatMap { report in report.phones.map { (phone: $0, client: report.client) } }
            .sorted { $0.phone.link.rawValue < $1.phone.link.rawValue }
        var known: Set<PhoneID> = []
        return all.filter { known.insert($0.phone.id).inserted }
            .sorted { ($0.phone.name.text, $0.phone.id) < ($1.phone.name.text, $1.phone.id) }
    }

    mutating func reported(_ phones: [Phone], by client: ClientID) {
        change {
            $0.removeAll { $0.client == client }
            if !phones.isEmpty { $0.append((client, Array(phones.prefix(Limits.phones)))) }
        }
    }

    mutating func clientClosed(_ client: ClientID) { change { $0.removeAll { $0.client == client } } }

    private mutating func change(_ change: (inout [(client: ClientID, phones: [Phone])]) -> Void) {
        let before = phones
        change(&reports)
        let there = Set(phones.map(\.id))
        departed = (before + departed).filter { !there.contains($0.id) }
        var known: Set<PhoneID> = []
        departed = Array(departed.filter { known.insert($0.id).inserted }.prefix(Limits.phones))
    }

    /// By name, by name and suffix, or by id. Nil: no phone has or had that name.
    func choose(_ text: String) throws(Failure) -> (phone: Phone, client: ClientID)? {
        let found = entries.filter { $0.phone.isCalled(text) }
        guard let first = found.first else {
            guard let gone = departed.first(where: { $0.isCalled(text) }) else { return nil }
            throw Failure(.deviceLost, "\(gone.link.name) cannot reach \(gone.name) now")
        }
        guard found.count == 1 else {
            throw Failure(.severalDevices, "several phones have that name; give the ID of one")
        }
        return first
    }
}

extension Phone {
    fileprivate func isCalled(_ text: String) -> Bool {
        let wanted = text.uppercased()
        return id.text == text
            || !name.isEmpty
                && (name.text.uppercased() == wanted || (name.text + Self.nameSuffix).uppercased() == wanted)
    }
}
