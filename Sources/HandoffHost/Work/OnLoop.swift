// SPDX-License-Identifier: Apache-2.0

/// Has something done on the daemon's loop, from any thread, in the order in which it comes.
package typealias OnLoop = @Sendable (@escaping @Sendable () -> Void) -> Void
