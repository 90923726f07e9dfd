// SPDX-License-Identifier: Apache-2.0

/// A test requested something impossible, or an app does not return from a hook. Failed continuations throw
/// `CocoaError` instead.
public struct HandoffSimulationError: Error, Sendable, CustomStringConvertible {
    /// One sentence.
    public let description: String

    init(_ description: String) { self.description = description }
}
