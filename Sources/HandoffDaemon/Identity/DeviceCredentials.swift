// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffTrust
package import HandoffWire

/// A file of ours that is there but cannot be believed. The daemon does not start over it: what it holds is who this
/// device is, and nothing may take its place without the user's word.
package struct DamagedStateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Its name in the state directory.
    package let file: String
    package let reason: String

    package init(file: String, reason: String) {
        self.file = file
        self.reason = reason
    }

    package var description: String {
        "\(file) in the state directory is damaged: \(reason). Put a copy of it back, or remove it to start over "
            + "without what it held"
    }
}

/// Who this device is: its key, and the certificate by which TLS carries that key.
package struct DeviceCredentials: Sendable {
    package let key: DeviceKey
    package let certificate: DeviceCertificate

    /// One file for both: either they are both there or neither is.
    package static let fileName = "device.pem"

    package var device: DeviceID { key.id }

    /// The stored ones, or fresh ones where there is no file. Throws `DamagedStateError` for a file that cannot be read
    /// as credentials, and what the store throws: in neither case is there a new identity.
    package static func loadOrCreate(store: any StateStore) throws -> DeviceCredentials {
        guard let bytes = try store.read(fileName) else { return try create(key: DeviceKey(), store: store) }
        do throws(CredentialsFile.Damage) {
            return DeviceCredentials(try CredentialsFile(bytes: bytes))
        } catch {
            throw DamagedStateError(file: fileName, reason: error.description)
        }
    }

    /// Writes credentials of that key; on disk when it returns.
    package static func create(key: DeviceKey, store: any StateStore) throws(Failure) -> DeviceCredentials {
        let file = CredentialsFile(key: key)
        try store.write(file.bytes, to: fileName)
        return DeviceCredentials(file)
    }

    private init(_ file: CredentialsFile) {
        key = file.key
        certificate = file.certificate
    }
}
