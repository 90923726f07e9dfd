// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// Receives the continuations that entitle a device or a client to streams. Implemented by `StreamsService`.
package protocol StreamRights: AnyObject {
    /// At the origin: that device received the state that this app has just saved.
    func stateGiven(_ request: FetchRequest, to device: DeviceID, by app: any Client)
    func stateDelivered(_ offer: Offer, from device: DeviceID, by continuation: ContinuationID, to client: any Client)
}

/// Streams that end in the daemon itself. Implemented by `StreamsService`.
package protocol DaemonStreams: AnyObject {
    /// Requests the stream from the other device. Bytes sent on the end wait until it is joined. `failed` is called at
    /// most once, if there is no stream; the end is then not notified.
    func open(_ pass: StreamPass, failed: @escaping (Failure) -> Void) -> DaemonStreamEnd
}

/// Provides the documents of the activities that this device handed over. Implemented by `DocumentOrigin`.
package protocol DocumentGiving: AnyObject {
    /// Whether that device may have the document now. The end is used once it is joined.
    func give(
        _ index: UInt32, of activity: ActivityID, by continuation: ContinuationID, to device: DeviceID
    ) -> Result<(pass: StreamPass, end: DaemonStreamEnd), Failure>
}

/// Connections of apps that carry streams, from the owner of the socket. Implemented by `StreamsService`.
package protocol StreamIntake: AnyObject {
    func streamAttached(_ token: StreamToken, by processID: Int32, on link: any StreamLink)
}
