// SPDX-License-Identifier: Apache-2.0

/// An impossible request, or a hook that does not return. Failed continuations throw `CocoaError` instead.
public struct HandoffSimulationError: Error, Sendable, CustomStringConvertible {
    /// One sentence.
    public let description: String

    init(_ description: String) { self.description = description }
}
