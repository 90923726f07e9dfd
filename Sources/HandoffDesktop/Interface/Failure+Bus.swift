// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffWire

extension Failure {
    /// "ActivityGone".
    var busCode: String {
        let name = "\(code)"
        return name.prefix(1).uppercased() + name.dropFirst()
    }

    var busDetails: BusValue {
        .properties([
            "code": .string(busCode), "reason": .string("\(self)"),
            "cocoa-error": .int32(Int32(clamping: cocoaErrorCode)),
        ])
    }
}

extension BusFailure {
    init(_ failure: Failure) {
        let name =
            switch failure.code {
            case .malformed: Self.invalidArguments
            case .limitReached: Self.limitsExceeded
            case .notAllowed: Self.accessDenied
            default: "org.handoff.Error.\(failure.busCode)"
            }
        self.init(name, "\(failure)")
    }

    static let noDaemon = "org.handoff.Error.NoDaemon"
    static let notRegistered = "org.handoff.Error.NotRegistered"
    static let alreadyRegistered = "org.handoff.Error.AlreadyRegistered"

    var asAnswer: Failure {
        switch name {
        case Self.noReply, "org.freedesktop.DBus.Error.Timeout":
            Failure(.appTimedOut, "the program did not answer in time")
        case Self.serviceUnknown, "org.freedesktop.DBus.Error.NameHasNoOwner",
            "org.freedesktop.DBus.Error.Disconnected":
            Failure(.appGone, "the program has left the bus")
        case Self.limitsExceeded: Failure(.payloadTooLarge, "the program's answer is too large")
        case "org.handoff.Error.\(Failure(.filesOnlyThere, "").busCode)": Failure(.filesOnlyThere, sentence)
        case "org.handoff.Error.\(Failure(.appDidNotStart, "").busCode)": Failure(.appDidNotStart, sentence)
        case "org.handoff.Error.\(Failure(.cancelled, "").busCode)": Failure(.cancelled, sentence)
        default: Failure(.appDidNotAnswer, "the program answered with an error")
        }
    }
}
