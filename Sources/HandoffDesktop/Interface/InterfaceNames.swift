// SPDX-License-Identifier: Apache-2.0

package import HandoffBus

/// What is called how on the bus. None of it changes its meaning: what means something else gets another number.
package enum InterfaceNames {
    package static let bus = "org.handoff.Handoff1"
    package static let path = "/org/handoff/Handoff1"
    package static let handoff = "org.handoff.Handoff1"
    package static let continuation = "org.handoff.Continuation1"
    /// Of the object that a program has for what it is asked and told.
    package static let app = "org.handoff.App1"

    static func continuationPath(_ number: UInt64) -> String { "\(path)/continuations/\(number)" }

    /// What objects other than the one at `path` have.
    package static var otherInterfaces: [BusInterface] {
        [AppObject.interface, WatchedContinuation.interface { _, reply in reply.answer() }]
    }
}
