// SPDX-License-Identifier: Apache-2.0

import HandoffCore
package import HandoffStrings
package import HandoffWire

package struct SendingList {
    package struct Line: Hashable, Sendable {
        package var id: ActivityID
        package var title: String
        package var details: String
        package var isUnderWay: Bool
        package var isFailed: Bool
        /// Accessible. Nil: it cannot be sent.
        package var buttonLabel: String?
    }

    package struct Receiver: Hashable, Sendable {
        package enum ID: Hashable, Sendable {
            case device(DeviceID)
            case phone(PhoneID)
        }

        package var id: ID
        package var name: String
    }

    private var own: [ListedActivity] = []
    private var underWay: Set<ActivityID> = []
    private var failures: [ActivityID: (failure: Failure, time: WallTime)] = [:]

    package init() {}

    /// `activities`: newest first.
    mutating func offered(_ activities: [ListedActivity]) {
        own = activities.filter(\.isFromThisDevice)
        let there = Set(own.map(\.offer.activity))
        failures = failures.filter { there.contains($0.key) }
    }

    /// Nil if the activity is gone or under way.
    package mutating func chose(_ receiver: Receiver.ID, for id: ActivityID) -> LocalMessage? {
        guard own.contains(where: { $0.offer.activity == id }), underWay.insert(id).inserted else { return nil }
        failures[id] = nil
        switch receiver {
        case .device(let device): return .sending(.sendActivity(id, to: device.description))
        case .phone(let phone): return .sending(.sendActivity(id, to: phone.text))
        }
    }

    /// The success. A failure is in the row.
    mutating func heard(
        _ answer: Result<LocalMessage, Failure>, of id: ActivityID, strings: LocalizedStrings, at now: WallTime
    ) -> String? {
        underWay.remove(id)
        switch answer {
        case .success(.sending(.sendList(let list))):
            switch list.first.map({ ($0.standing, $0.deviceName.text) }) {
            case (.taken, let device)?: return strings(.sentTo, device)
            case (.waiting, let device)?: return strings(.keptFor, device)
            case (.refused(let failure), _)?: failures[id] = (failure, now)
            case nil: failures[id] = (Failure(.malformed, ""), now)
            }
        case .success(.phones(.handedToPhone(let phone))): return strings(.handedTo, phone.link.name)
        case .success: failures[id] = (Failure(.malformed, ""), now)
        case .failure(let failure): failures[id] = (failure, now)
        }
        return nil
    }

    mutating func lostDaemon() { (own, underWay, failures) = ([], [], [:]) }

    package func lines(to receivers: [Receiver], _ strings: LocalizedStrings, at now: WallTime) -> [Line] {
        guard !receivers.isEmpty else { return [] }
        return own.map { activity in
            let offer = activity.offer
            let title = strings.title(of: offer)
            let isUnderWay = underWay.contains(offer.activity)
            let failure = failure(of: offer.activity, at: now)
            let isFinal = failure?.code == .filesOnlyThere
            let problem = failure.map {
                let trouble = strings.trouble($0)
                return isFinal ? trouble.text : strings(.notSent, trouble.text)
            }
            return Line(
                id: offer.activity, title: title,
                details: isUnderWay ? strings[.sending] : problem ?? strings.details(of: offer, on: nil, at: now),
                isUnderWay: isUnderWay, isFailed: failure != nil && !isUnderWay,
                buttonLabel: isFinal ? nil : strings(.sendLabel, title))
        }
    }

    private func failure(of id: ActivityID, at now: WallTime) -> Failure? {
        guard let (failure, time) = failures[id] else { return nil }
        let isOver = time.duration(to: now) >= ActivitiesPage.failureStays
        return isOver && failure.code != .filesOnlyThere ? nil : failure
    }

    /// Phones are last, and named with the program that is connected to them.
    package static func receivers(_ devices: [DeviceSummary], _ phones: [Phone] = []) -> [Receiver] {
        let names = DeviceNames(devices.map { ($0.device, $0.name.text) })
        return devices.inOrder.filter { !$0.isThisDevice }
            .map { Receiver(id: .device($0.device), name: names.shown($0.device)) }
            + phones.map { Receiver(id: .phone($0.id), name: "\($0.name.text) (\($0.link.name))") }
    }
}

/// They wait until their device is reachable, or refused them.
package struct WaitingSends: Hashable {
    package struct Line: Hashable, Sendable {
        package var id: ActivityID
        package var title: String
        package var details: String
        package var isRefused: Bool
        package var buttonLabel: String
    }

    private var sends: [SendReport] = []
    private var underWay: Set<ActivityID> = []
    /// Failures to take a send back.
    private var failures: [ActivityID: Failure] = [:]

    init() {}

    mutating func heard(_ answer: Result<LocalMessage, Failure>) {
        guard case .success(.sending(.sendList(let list))) = answer else { return }
        sends = list
        let there = Set(list.map(\.offer.activity))
        underWay.formIntersection(there)
        failures = failures.filter { there.contains($0.key) }
    }

    /// Nil if the send is gone or under way.
    package mutating func tookBack(_ id: ActivityID) -> LocalMessage? {
        guard sends.contains(where: { $0.offer.activity == id }), underWay.insert(id).inserted else { return nil }
        failures[id] = nil
        return .sending(.unsendActivity(id))
    }

    /// Taking it back failed, and can be tried again.
    mutating func stayed(_ id: ActivityID, _ failure: Failure) {
        underWay.remove(id)
        failures[id] = failure
    }

    mutating func lostDaemon() { self = WaitingSends() }

    package func lines(_ strings: LocalizedStrings) -> [Line] {
        sends.compactMap { send in
            let (offer, device) = (send.offer, send.deviceName.text)
            let title = strings.title(of: offer)
            func line(_ details: String, isRefused: Bool = false) -> Line {
                Line(
                    id: offer.activity, title: title,
                    details: failures[offer.activity].map { strings.trouble($0).text } ?? details,
                    isRefused: isRefused, buttonLabel: strings(isRefused ? .dismissLabel : .takeBackLabel, title))
            }
            return switch send.standing {
            case .waiting(nil): line(strings(.waitsFor, device))
            case .waiting(let problem?): line(strings(.waitsBecause, device, strings.trouble(problem).sentence))
            case .refused(let failure):
                line(strings(.refusedBy, device, strings.trouble(failure).sentence), isRefused: true)
            case .taken: nil
            }
        }
    }
}
