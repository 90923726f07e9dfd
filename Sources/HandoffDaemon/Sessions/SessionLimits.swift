// SPDX-License-Identifier: Apache-2.0

import HandoffCore

enum SessionLimits {
    static let helloDeadline: Duration = .seconds(5)
    /// After this time without a frame, the side that dialled sends a ping.
    static let pingAfter: Duration = .seconds(5)
    /// The side that accepted waits this much longer, so that one side's ping serves both.
    static let acceptorPatience: Duration = .seconds(1)
    /// After this time without a frame, the device is gone. It can then be shown as gone within 15 seconds.
    static let lostAfter: Duration = .seconds(12)
    /// After a network change, the other side has this long to answer, so that a dead session is replaced within 3
    /// seconds.
    static let probeAnswer: Duration = .milliseconds(1500)
    static let outstandingRequests = 64
    static let unansweredRequests = 64
    static let silentLinksPerDevice = 4

    /// From the first refusal of a device's earlier run to the refusal that proves a copy. A doubted session must
    /// answer much sooner.
    static let copyIsCertainAfter: Duration = .seconds(5)
    /// A copy without a sign of life is no longer reported after this time. It calls at least every five minutes.
    static let copyIsReportedFor: Duration = .seconds(900)
}
