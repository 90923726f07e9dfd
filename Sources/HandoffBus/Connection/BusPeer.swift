// SPDX-License-Identifier: Apache-2.0

package struct BusPeer: Hashable, Sendable {
    /// May have been reused, unless `process` is held. Nil if the bus does not know it.
    package var processID: Int32?
    package var userID: UInt32
    /// From dbus-daemon 1.15.8 or later.
    package var process: SharedDescriptor?
    /// The kernel security module's label, such as "snap.name.program (enforce)".
    package var securityLabel: String

    package init(
        processID: Int32?, userID: UInt32, process: SharedDescriptor? = nil, securityLabel: String = ""
    ) {
        self.processID = processID
        self.userID = userID
        self.process = process
        self.securityLabel = securityLabel
    }

    /// From an answer to `GetConnectionCredentials`.
    package init?(_ credentials: BusValue) {
        guard let known = credentials.properties, let user = known["UnixUserID"]?.integer,
            let userID = UInt32(exactly: user)
        else { return nil }
        var process: SharedDescriptor?
        if case .descriptor(let descriptor)? = known["ProcessFD"] { process = descriptor }
        // The label ends with a zero byte.
        let label = (known["LinuxSecurityLabel"]?.bytes ?? []).prefix { $0 != 0 }
        self.init(
            processID: known["ProcessID"]?.integer.flatMap { Int32(exactly: $0) }, userID: userID, process: process,
            securityLabel: String(decoding: label, as: UTF8.self))
    }
}
