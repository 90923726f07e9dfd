// SPDX-License-Identifier: Apache-2.0

/// Runs a closure on the daemon's loop, from any thread, in the order of the calls.
package typealias OnLoop = @Sendable (@escaping @Sendable () -> Void) -> Void
