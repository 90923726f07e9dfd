// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
package import HandoffStrings
package import HandoffWire

/// They wait until their device is reachable, or it refused them.
package struct WaitingSends: Hashable {
    package struct Line: Hashable, Sendable {
        package var id: ActivityID
        package var title: String
        package var details: String
        package var isRefused: Bool
        /// Accessible; everything that the button does.
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

    /// Nil if the send is gone, or is already being taken back.
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
