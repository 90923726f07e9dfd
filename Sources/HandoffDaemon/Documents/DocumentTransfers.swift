// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What programs may want of documents on their way.
package protocol DocumentTransfers: AnyObject {
    /// What was delivered to that client before it was here. Answered with progress, then done or failure.
    func download(_ path: AbsolutePath, for client: any Client, reply: @escaping ClientReply)
    /// By whom it comes to, or who started it. Answered with done or failure.
    func cancel(_ continuation: ContinuationID, for client: any Client, reply: @escaping ClientReply)
}
