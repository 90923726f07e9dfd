// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Seen on this machine by `handoff doctor`.
package struct Observations: Sendable {
    package enum Daemon: Sendable {
        case running(DaemonStatus)
        case silent(reason: String, advice: String?)
        /// A daemon on that host uses the same state, in a home of both.
        case onOtherHost(String)
    }

    package enum Service: Sendable {
        case enabled
        /// `start`: the command that enables it.
        case disabled(start: String)
        case noManager
    }

    package struct Storage: Sendable {
        package var folder: String
        /// Why a file cannot be created there.
        package var problem: String?
        /// Bytes left to this user. Nil: unknown.
        package var free: Int64?

        package init(folder: String, problem: String? = nil, free: Int64? = nil) {
            (self.folder, self.problem, self.free) = (folder, problem, free)
        }
    }

    package struct Interface: Sendable {
        package var name: String
        package var hasMulticast: Bool
        /// A datagram to the beacons' group returned. Nil: not sent.
        package var hearsItself: Bool?

        package init(name: String, hasMulticast: Bool, hearsItself: Bool?) {
            (self.name, self.hasMulticast, self.hearsItself) = (name, hasMulticast, hearsItself)
        }
    }

    package enum Reach: Hashable, Sendable {
        case answers
        case refuses
        /// On this network, but its machine does not answer there either. `gateway`: the router answers.
        case notOnLink(gateway: Bool)
        case silent
        case noRoute
    }

    package struct Device: Sendable {
        package var name: String
        package var isConnected: Bool
        /// Nil: not connected.
        package var software: String?
        /// A clause. Nil: connected, or unknown.
        package var problem: String?
        /// A clause, `last connected …`.
        package var lastSeen: String?
        /// Empty: unknown.
        package var address: String
        /// Nil: not called.
        package var reach: Reach?
        /// A clause, `2 h ahead of`, if its clock differs by more than `clockTolerance`. Empty: no. Nil: unknown.
        package var clock: String?
        /// The interface of the call, if it is a tunnel.
        package var tunnel: String?

        package init(name: String, isConnected: Bool, lastSeen: String?, address: String, reach: Reach?) {
            (self.name, self.isConnected, self.lastSeen) = (name, isConnected, lastSeen)
            (self.address, self.reach) = (address, reach)
        }
    }

    package enum History: Hashable, Sendable {
        case works
        case fails(reason: String)
    }

    package struct Firewall: Sendable {
        package enum Verdict: Sendable {
            case allows
            /// Clauses: the rule, and how to allow the ports.
            case drops(String, advice: String)
            /// A clause about what cannot be read, and how to read it.
            case unreadable(String, advice: String)
        }

        package var name: String
        package var verdict: Verdict

        package init(name: String, verdict: Verdict) { (self.name, self.verdict) = (name, verdict) }
    }

    package var daemon: Daemon
    /// The version of the program that examines.
    package var software: String
    /// Nil: the daemon was not started for this user's session.
    package var service: Service?
    package var storage: Storage
    /// Nil: not asked, or may not be read now.
    package var history: History?
    /// Listens at the usual port, with its process number. Nil: none, or another user's.
    package var portHolder: (name: String, process: Int)?
    /// Without loopback.
    package var interfaces: [Interface] = []
    package var firewalls: [Firewall] = []
    /// Without this device.
    package var devices: [Device] = []

    package init(daemon: Daemon, software: String, service: Service?, storage: Storage) {
        (self.daemon, self.software, self.service, self.storage) = (daemon, software, service, storage)
    }
}
