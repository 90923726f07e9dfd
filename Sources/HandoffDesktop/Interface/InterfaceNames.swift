// SPDX-License-Identifier: Apache-2.0

package import HandoffBus

/// What is called how on the bus. None of it changes its meaning: what means something else gets another number.
package enum InterfaceNames {
    package static let bus = "org.handoff.Handoff1"
    package static let path = "/org/handoff/Handoff1"
    package static let handoff = "org.handoff.Handoff1"
    package static let participantBus = "org.handoff.Participant1"
    package static let participantPath = "/org/handoff/Participant1"
    package static let participant = "org.handoff.Participant1"
    package static let continuation = "org.handoff.Continuation1"
    /// Of the object that a program has for what it is asked and told.
    package static let app = "org.handoff.App1"

    static func continuationPath(_ number: UInt64) -> String { "\(path)/continuations/\(number)" }

    /// What other objects than those that programs call first have.
    package static var otherInterfaces: [BusInterface] {
        [AppObject.interface, WatchedContinuation.interface { _, reply in reply.answer() }]
    }
}

/// One of the two objects that programs call. Each has a connection to the bus of its own: what filters the calls of a sandbox
/// lets a program that may call one name of a connection call all of its objects.
package enum InterfaceForm: Hashable, Sendable {
    /// To take part, and nothing else.
    case participant
    /// Everything: also what other devices offer, continuing it, sending.
    case whole

    var bus: String {
        switch self {
        case .participant: InterfaceNames.participantBus
        case .whole: InterfaceNames.bus
        }
    }

    var path: String {
        switch self {
        case .participant: InterfaceNames.participantPath
        case .whole: InterfaceNames.path
        }
    }

    var interface: String {
        switch self {
        case .participant: InterfaceNames.participant
        case .whole: InterfaceNames.handoff
        }
    }

    /// With their types.
    var properties: [(String, String)] {
        switch self {
        case .participant: InterfaceFacts.properties.filter { ["Version", "DeviceName"].contains($0.0) }
        case .whole: InterfaceFacts.properties
        }
    }
}
