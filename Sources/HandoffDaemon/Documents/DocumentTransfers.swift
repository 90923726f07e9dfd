// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

package protocol DocumentTransfers: AnyObject {
    /// Downloads a document that was delivered to the client without its content. Answered with progress, then done or
    /// a failure.
    func download(_ path: AbsolutePath, for client: any Client, reply: @escaping ClientReply)
    /// Allowed for the recipient and the requester. Answered with done or a failure.
    func cancel(_ continuation: ContinuationID, for client: any Client, reply: @escaping ClientReply)
}
