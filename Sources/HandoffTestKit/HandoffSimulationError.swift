// SPDX-License-Identifier: Apache-2.0

/// A test asked for what cannot be, or an app does not return from a hook. What a continuation fails with is a
/// `CocoaError`.
public struct HandoffSimulationError: Error, Sendable, CustomStringConvertible {
    /// One sentence.
    public let description: String

    init(_ description: String) { self.description = description }
}
