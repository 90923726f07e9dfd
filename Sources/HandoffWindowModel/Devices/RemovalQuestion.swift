// SPDX-License-Identifier: Apache-2.0

package import HandoffWire
import HandoffWords

/// Built from the daemon's answer about the effects.
package struct RemovalQuestion: Hashable, Sendable {
    /// Further devices are only counted.
    static let named = 5

    package let device: DeviceID
    package let heading: String
    package let body: String
    /// Some devices are members only through it.
    package let offersAll: Bool

    init(_ removed: DeviceSummary, _ words: Words) {
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
