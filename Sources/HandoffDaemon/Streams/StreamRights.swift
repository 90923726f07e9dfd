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

/// Connections of apps that carry streams, handed on by the owner of the socket. `StreamsService` answers.
package protocol StreamIntake: AnyObject {
    func streamAttached(_ token: StreamToken, by processID: Int32, on link: any StreamLink)
}
