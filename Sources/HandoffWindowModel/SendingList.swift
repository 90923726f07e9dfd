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
        /// Accessible; everything that the button does.
        package var buttonLabel: String
    }

    package struct Receiver: Hashable, Sendable {
        package var id: DeviceID
        package var name: String
    }

    private var own: [ListedActivity] = []
    private var underWay: Set<ActivityID> = []

    package init() {}

    /// `activities`: newest first.
    mutating func offered(_ activities: [ListedActivity]) { own = activities.filter(\.isFromThisDevice) }

    /// Nil if the activity is gone or under way.
    package mutating func chose(_ receiver: DeviceID, for id: ActivityID) -> LocalMessage? {
        guard own.contains(where: { $0.offer.activity == id }), underWay.insert(id).inserted else { return nil }
        return .sending(.sendActivity(id, to: receiver.description))
    }

    mutating func heard(
        _ answer: Result<LocalMessage, Failure>, of id: ActivityID, strings: LocalizedStrings
    ) -> String {
        underWay.remove(id)
        switch answer {
        case .success(.sending(.sendList(let list))):
            guard let report = list.first else { return strings[.problemOther] }
            return switch report.standing {
            case .taken: strings(.sentTo, report.deviceName.text)
            case .waiting: strings(.keptFor, report.deviceName.text)
            case .refused(let failure): strings(.notSent, failure.reason)
            }
        case .success: return strings[.problemOther]
        case .failure(let failure): return strings(.notSent, failure.reason)
        }
    }

    mutating func lostDaemon() { (own, underWay) = ([], []) }

    package func lines(to receivers: [Receiver], _ strings: LocalizedStrings, at now: WallTime) -> [Line] {
        guard !receivers.isEmpty else { return [] }
        return own.map { activity in
            let offer = activity.offer
            let isUnderWay = underWay.contains(offer.activity)
            return Line(
                id: offer.activity, title: offer.shownTitle(strings),
                details: isUnderWay ? strings[.sending] : offer.shownDetails(strings, at: now).joined(separator: " · "),
                isUnderWay: isUnderWay,
                buttonLabel: strings(.sendLabel, offer.knownTitle))
        }
    }

    package static func receivers(_ devices: [DeviceSummary]) -> [Receiver] {
        let names = DeviceNames(devices.map { ($0.device, $0.name.text) })
        return DeviceLine.inOrder(devices).filter { !$0.isThisDevice }
            .map { Receiver(id: $0.device, name: names.shown($0.device)) }
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

    init() {}

    mutating func heard(_ answer: Result<LocalMessage, Failure>) {
        guard case .success(.sending(.sendList(let list))) = answer else { return }
        sends = list
        underWay.formIntersection(list.map(\.offer.activity))
    }

    /// Nil if the send is gone or under way.
    package mutating func tookBack(_ id: ActivityID) -> LocalMessage? {
        guard sends.contains(where: { $0.offer.activity == id }), underWay.insert(id).inserted else { return nil }
        return .sending(.unsendActivity(id))
    }

    /// Taking it back failed, and can be tried again.
    mutating func stayed(_ id: ActivityID) { underWay.remove(id) }

    mutating func lostDaemon() { self = WaitingSends() }

    package func lines(_ strings: LocalizedStrings) -> [Line] {
        sends.compactMap { send in
            let (offer, device) = (send.offer, send.deviceName.text)
            func line(_ details: String, isRefused: Bool = false) -> Line {
                Line(
                    id: offer.activity, title: offer.shownTitle(strings), details: details, isRefused: isRefused,
                    buttonLabel: strings(isRefused ? .dismissLabel : .takeBackLabel, offer.knownTitle))
            }
            return switch send.standing {
            case .waiting(nil): line(strings(.waitsFor, device))
            case .waiting(let problem?): line(strings(.waitsBecause, device, problem.reason))
            case .refused(let failure): line(strings(.refusedBy, device, failure.reason), isRefused: true)
            case .taken: nil
            }
        }
    }
}
