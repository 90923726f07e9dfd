// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffWire

/// The meaning of a name never changes; incompatible versions get another number.
enum InterfaceNames {
    static let bus = "org.handoff.Handoff1"
    static let path = "/org/handoff/Handoff1"
    static let handoff = "org.handoff.Handoff1"
    static let participantBus = "org.handoff.Participant1"
    static let participantPath = "/org/handoff/Participant1"
    static let participant = "org.handoff.Participant1"
    static let continuation = "org.handoff.Continuation1"
    static let app = "org.handoff.App1"

    static func continuationPath(_ number: UInt64) -> String { "\(path)/continuations/\(number)" }

    static var otherInterfaces: [BusInterface] {
        [AppObject.interface, WatchedContinuation.interface { _, reply in reply.answer() }]
    }
}

/// Each object has its own connection, because a sandbox filter that admits one name of a connection admits all of its
/// objects.
enum InterfaceForm: Hashable, Sendable {
    case participant
    /// Including other devices' activities, continuing and sending.
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

    var properties: [(String, String)] {
        switch self {
        case .participant: InterfaceFacts.properties.filter { ["Version", "DeviceName"].contains($0.0) }
        case .whole: InterfaceFacts.properties
        }
    }
}

/// Beyond these, the answer is `LimitsExceeded`. `BusLimits` limits the calls.
enum InterfaceLimits {
    /// Each needs a connection to the daemon, and a thread.
    static let participants = 64
    static let participantsPerProcess = 8
    /// Calls of one caller that wait for the daemon.
    static let questions = 32
    static let continuations = 8
    /// Per program; each needs a thread.
    static let openingStreams = 8
    /// Unless the daemon gives another limit.
    static let answerTime = Duration.seconds(10)
}

/// Empty without a daemon.
struct InterfaceFacts {
    var software = ""
    var deviceName = ""
    var device = ""
    /// Empty without an account.
    var account = ""
    var devices: [DeviceSummary] = []
    var programs: [BundleID] = []

    private var values: [(name: String, value: BusValue)] {
        [
            ("Version", .string(software)), ("DeviceName", .string(deviceName)), ("DeviceID", .string(device)),
            ("Account", .string(account)), ("Devices", .list(devices.map(\.bus))),
            ("Programs", .strings(programs.map(\.name))),
        ]
    }

    func value(of property: String) -> BusValue { values.first { $0.name == property }?.value ?? .string("") }

    func changes(to new: InterfaceFacts) -> [String] {
        zip(values, new.values).filter { $0.value != $1.value }.map(\.0.name)
    }

    static let properties = [
        ("Version", "s"), ("DeviceName", "s"), ("DeviceID", "s"), ("Account", "s"), ("Devices", "aa{sv}"),
        ("Programs", "as"),
    ]
}
