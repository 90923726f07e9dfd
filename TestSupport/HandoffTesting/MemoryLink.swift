// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// Every frame is encoded and reassembled from uneven pieces.
package final class MemoryLink: PeerLink, EnrollLink {
    package let isDialled: Bool
    package let endpoint: PeerEndpoint
    package var localHost: String? { node.host }
    package let preference: LinkPreference
    package let device: DeviceID
    package let remoteKey: [UInt8]
    package let source: String
    package var host: String { source }
    /// Set before it is passed on.
    package internal(set) var hasPublicCode = false

    let node: MemoryNode
    // The hub keeps the connection alive; after that, a link only has a name.
    private weak var connection: MemoryConnection?
    private let purpose: ConnectionPurpose
    private let sending: FrameLimits
    private let receiving: FrameLimits
    private var hasSent = false
    private var assembler: FrameAssembler
    var isClosed = false
    /// The acceptor's handler has been notified.
    private(set) var isAnnounced: Bool

    init(connection: MemoryConnection, node: MemoryNode, other: MemoryNode, isDialled: Bool) {
        self.connection = connection
        self.purpose = connection.purpose
        self.node = node
        self.isDialled = isDialled
        self.isAnnounced = isDialled
        device = other.device
        remoteKey = other.key
        source = other.host
        // The dialling side has an ephemeral port.
        endpoint = .address(isDialled ? other.address : NetworkAddress(host: other.host, port: 50_000))
        preference = connection.preference
        sending = .of(connection.purpose, from: isDialled ? .caller : .answerer)
        receiving = .of(connection.purpose, from: isDialled ? .answerer : .caller)
        assembler = FrameAssembler(limit: receiving.first)
    }

    package func send(_ frame: PeerFrame) {
        if case .continuation(.fetched) = frame.message { connection?.hub.statesSent += 1 }
        send { try frame.encoded() }
    }
    package func send(_ message: EnrollMessage) { send { try message.encoded() } }
    /// The bytes may be invalid.
    package func sendRaw(_ body: [UInt8]) { send { body } }
    package func close() { connection?.close(self) }
    package func drop() { close() }

    private func send(_ body: () throws -> [UInt8]) {
        guard !isClosed else { return }
        do {
            let limit = hasSent ? sending.later : sending.first
            connection?.send(try FrameHeader.framed(body(), limit: limit), from: self)
            hasSent = true
        } catch {
            connection?.close(self, failure: Failure(.malformed, "a frame could not be sent: \(error)"))
        }
    }

    // MARK: Called by the connection

    private var sessionHandler: (any PeerSessionHandler)? { node.isOn ? node.network.sessionHandler : nil }
    private var enrollmentHandler: (any EnrollmentHandler)? { node.isOn ? node.network.enrollmentHandler : nil }

    func opened() {
        isAnnounced = true
        switch purpose {
        case .session: sessionHandler?.linkAccepted(self)
        case .enroll: enrollmentHandler?.enrollLinkAccepted(self)
        case .stream: break
        }
    }

    func received(_ bytes: [UInt8]) {
        do {
            let middle = bytes.count / 3
            assembler.append(bytes[..<middle])
            try deliverFrames()
            assembler.append(bytes[middle...])
            try deliverFrames()
        } catch {
            connection?.close(self, failure: Failure(.malformed, "\(error)"))
        }
    }

    private func deliverFrames() throws {
        while !isClosed, let body = try assembler.next() {
            assembler.limit = receiving.later
            switch purpose {
            case .session: sessionHandler?.frameReceived(try PeerFrame(encoded: body), on: self)
            case .enroll: enrollmentHandler?.enrollMessageReceived(try EnrollMessage(encoded: body), on: self)
            case .stream: break
            }
        }
    }

    func told(_ failure: Failure?) {
        guard isAnnounced else { return }
        switch purpose {
        case .session: sessionHandler?.linkClosed(self, failure: failure)
        case .enroll: enrollmentHandler?.enrollLinkClosed(self, failure: failure)
        case .stream: break
        }
    }
}
