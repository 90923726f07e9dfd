// SPDX-License-Identifier: Apache-2.0

/// Times and bounds of a session with one device.
package enum SessionLimits {
    /// From the open link to the other side's hello.
    package static let helloDeadline: Duration = .seconds(5)
    /// Nothing received for this long: the side that dialled asks whether the other is there.
    package static let pingAfter: Duration = .seconds(5)
    /// The side that accepted waits this much longer, so that one side's ping serves both.
    package static let acceptorPatience: Duration = .seconds(1)
    /// Nothing received for this long: the device is gone. Leaves room to be shown as gone within 15 seconds.
    package static let lostAfter: Duration = .seconds(12)
    /// The network changed: the other side has this long to answer, so that a cut session is replaced within 3 seconds.
    package static let probeAnswer: Duration = .milliseconds(1500)
    /// Requests of ours that wait for an answer at a time.
    package static let outstandingRequests = 64
    /// Requests of the other side that we have not answered yet.
    package static let unansweredRequests = 64
    /// Links of one device that have not said hello yet.
    package static let silentLinksPerDevice = 4

    /// From the first refusal of a device's earlier start to the refusal that shows a copy. A session that is doubted has to
    /// answer much sooner.
    package static let copyIsCertainAfter: Duration = .seconds(5)
    /// A copy of which nothing was noticed for so long is no longer reported. It calls at least once in five minutes.
    package static let copyIsReportedFor: Duration = .seconds(900)
}
