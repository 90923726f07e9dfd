// SPDX-License-Identifier: Apache-2.0

package import HandoffWire
package import HandoffWords

/// The question before a device is removed, by the daemon's answer of what its removal means.
package struct RemovalQuestion: Hashable, Sendable {
    /// The others are a number.
    package static let named = 5

    package let device: DeviceID
    package let heading: String
    package let body: String
    /// Devices are members only through it: the user decides about them too.
    package let offersAll: Bool

    package init(_ removed: DeviceSummary, _ words: Words) {
        device = removed.device
        heading = words(.removeHeading, removed.name.text)
        var body = words[.removeBody]
        if !removed.alsoRemoved.isEmpty { body += "\n\n" + words(.removeAlso, Self.list(removed.alsoRemoved)) }
        if !removed.dependents.isEmpty { body += "\n\n" + words(.removeAdmitted, Self.list(removed.dependents)) }
        self.body = body
        offersAll = !removed.dependents.isEmpty
    }

    private static func list(_ devices: [DeviceSummary]) -> String {
        let names = devices.prefix(named).map { "\($0.name.text) (\($0.device.short))" }.joined(separator: ", ")
        return "\(devices.count): \(names)\(devices.count > named ? ", …" : "")"
    }
}
