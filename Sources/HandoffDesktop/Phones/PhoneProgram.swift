// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus
internal import HandoffWire

/// Never started.
protocol PhoneProgram: AnyObject {
    var link: PhoneLink { get }
    var phones: [Phone] { get }
    var changed: () -> Void { get set }

    func busConnected(_ bus: BusConnection)
    func busDisconnected()
    /// Only for a phone in `phones`. Success means that the program accepted the URI.
    func share(_ uri: String, with phone: Phone, completion: @escaping (Result<Void, Failure>) -> Void)
}

enum PhoneWaits {
    /// For each answer on the bus; sharing needs at most two.
    static let answer = Duration.seconds(12)
}

extension PhoneLink {
    func failure(_ error: BusFailure, of phone: Phone) -> Failure {
        switch error.name {
        case BusFailure.unknownObject, BusFailure.unknownMethod, BusFailure.unknownInterface:
            Failure(.notAllowed, "\(name)'s plugin for sharing is off for \(phone.name)")
        case BusFailure.serviceUnknown, BusFailure.noOwner, BusFailure.noReply:
            Failure(.deviceLost, "\(name) has quit or does not answer")
        default:
            Failure(
                .internal,
                "\(name) refused it: \(DisplayText(cleaning: error.sentence, limit: Limits.titleCharacters))")
        }
    }
}

extension BusFailure {
    fileprivate static let unknownInterface = "org.freedesktop.DBus.Error.UnknownInterface"
    fileprivate static let noOwner = "org.freedesktop.DBus.Error.NameHasNoOwner"
}
