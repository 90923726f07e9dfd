// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffTrust
package import HandoffWire

/// The daemon does not start: the file defines this device's identity, and only the user may replace it.
struct DamagedStateError: Error, Hashable, Sendable, CustomStringConvertible {
    let file: String
    let reason: String

    var description: String {
        "\(file) in the state directory is damaged: \(reason). Restore a copy of it, or remove it to start over "
            + "without its content"
    }
}

package struct DeviceCredentials: Sendable {
    package let key: DeviceKey
    package let certificate: DeviceCertificate

    /// One file for both, so that they exist together.
    package static let fileName = "device.pem"

    package var device: DeviceID { key.id }

    /// Creates credentials only if the file is missing, or a crash interrupted leaving the account. Throws
    /// `DamagedStateError` for an invalid file, and the store's errors.
    package static func loadOrCreate(store: any StateStore) throws -> DeviceCredentials {
        if let fresh = try AccountBook.finishForgetting(store) { return fresh }
        guard let bytes = try store.read(fileName) else { return try create(key: DeviceKey(), store: store) }
        do throws(CredentialsFile.Damage) {
            return DeviceCredentials(try CredentialsFile(bytes: bytes))
        } catch {
            throw DamagedStateError(file: fileName, reason: error.description)
        }
    }

    /// On disk when it returns.
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
