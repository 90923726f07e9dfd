// SPDX-License-Identifier: Apache-2.0

extension LocalMessage {
    package enum Status: Hashable, Sendable {
        case getStatus
        case status(DaemonStatus)
    }
}

package struct DaemonStatus: Hashable, Sendable {
    package var software = ""
    package var deviceName = DisplayText(cleaning: "")
    /// Nil before the device has a key, which a running daemon always has.
    package var device: DeviceID?
    package var account: AccountID?
    package var listening = ""
    package var warnings: [String] = []
    package var devicesKnown = 0
    package var devicesConnected = 0
    package var activitiesHere = 0
    package var activitiesOffered = 0
    package var appsInstalled = 0
    /// Part of `appsInstalled`.
    package var appsInDevelopment = 0
    /// Part of `appsInstalled`.
    package var appsNotTrusted = 0
    package var teamsTrusted = 0
    package var pid = 0
    package var uptime: Duration = .zero
    package var policy = PolicySummary()
    package var facts: [Fact] = []
    package var missing: [MissingPart] = []

    package init() {}
}

package struct MissingPart: Hashable, Sendable {
    package let part: String
    package let loss: String

    package init(_ part: String, loss: String) {
        self.part = part
        self.loss = loss
    }
}
