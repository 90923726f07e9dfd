// SPDX-License-Identifier: Apache-2.0

import HandoffStrings
package import HandoffWire

/// Built from the daemon's answer about the effects.
package struct RemovalQuestion: Hashable, Sendable {
    /// Further devices are only counted.
    static let named = 5

    package let device: DeviceID
    package let heading: String
    package let body: String
    /// Some devices are members only through it.
    package let offersAll: Bool

    init(_ removed: DeviceSummary, _ strings: LocalizedStrings) {
        device = removed.device
        heading = strings(.removeHeading, removed.name.text)
        var body = strings[.removeBody]
        if !removed.alsoRemoved.isEmpty { body += "\n\n" + strings(.removeAlso, Self.list(removed.alsoRemoved)) }
        if !removed.dependents.isEmpty { body += "\n\n" + strings(.removeAdmitted, Self.list(removed.dependents)) }
        self.body = body
        offersAll = !removed.dependents.isEmpty
    }

    private static func list(_ devices: [DeviceSummary]) -> String {
        let names = devices.prefix(named).map { "\($0.name.text) (\($0.device.short))" }.joined(separator: ", ")
        return "\(devices.count): \(names)\(devices.count > named ? ", …" : "")"
    }
}
