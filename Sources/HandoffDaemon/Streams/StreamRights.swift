// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// Told of continuations, as they give a right to streams. `StreamsService` answers.
package protocol StreamRights: AnyObject {
    /// At the origin: that device is given the state that this app has just saved.
    func stateGiven(_ request: FetchRequest, to device: DeviceID, by app: any Client)
    /// At the receiver: the state goes to this client now.
    func stateDelivered(_ offer: Offer, from device: DeviceID, by continuation: ContinuationID, to client: any Client)
}

/// Streams that end in the daemon itself. `StreamsService` answers.
package protocol DaemonStreams: AnyObject {
    /// Asks the other device for it. What is sent on the end meanwhile waits. `failed` is called at most once, where there is
    /// no stream; the end is told nothing else then.
    func open(_ pass: StreamPass, failed: @escaping (Failure) -> Void) -> DaemonStreamEnd
}

/// Gives the documents of what this device handed over. `DocumentOrigin` answers.
package protocol DocumentGiving: AnyObject {
    /// Whether that device may have it now. The end is used from when it is joined.
    func give(
        _ index: UInt32, of activity: ActivityID, by continuation: ContinuationID, to device: DeviceID
    ) -> Result<(pass: StreamPass, end: DaemonStreamEnd), Failure>
}

/// Connections of apps that carry streams, handed on by the owner of the socket. `StreamsService` answers.
package protocol StreamIntake: AnyObject {
    func streamAttached(_ token: StreamToken, by processID: Int32, on link: any StreamLink)
}
