// SPDX-License-Identifier: Apache-2.0

internal import SwiftASN1

/// One file, so that a crash cannot separate key and certificate.
package struct CredentialsFile: Sendable {
    package let key: DeviceKey
    package let certificate: DeviceCertificate

    package enum Damage: Error, Hashable, Sendable, CustomStringConvertible {
        case notPEM
        case blocks(found: Int)
        case key(KeyRejection)
        case certificate(KeyRejection)
        case certificateOfAnotherKey

        package var description: String {
            switch self {
            case .notPEM: "it is not a PEM text"
            case .blocks(let found): "it has \(found) PEM blocks, not a private key and a certificate"
            case .key(let rejection): "its private key cannot be read (\(rejection.rawValue))"
            case .certificate(let rejection): "its certificate cannot be read (\(rejection.rawValue))"
            case .certificateOfAnotherKey: "its certificate is for another key"
            }
        }
    }

    package init(key: DeviceKey) {
        self.key = key
        certificate = DeviceCertificate(selfSignedBy: key)
    }

    package init(bytes: [UInt8]) throws(Damage) {
        guard let text = String(validating: bytes, as: UTF8.self),
            let blocks = try? PEMDocument.parseMultiple(pemString: text)
        else { throw .notPEM }
        guard blocks.map(\.discriminator) == [Self.keyBlock, Self.certificateBlock] else {
            throw .blocks(found: blocks.count)
        }
        do throws(KeyRejection) { key = try DeviceKey(der: blocks[0].derBytes) } catch { throw .key(error) }
        do throws(KeyRejection) {
            certificate = try DeviceCertificate(der: blocks[1].derBytes)
        } catch {
            throw .certificate(error)
        }
        guard certificate.publicKey == key.publicKey else { throw .certificateOfAnotherKey }
    }

    package var bytes: [UInt8] {
        let blocks = [
            PEMDocument(type: Self.keyBlock, derBytes: key.der),
            PEMDocument(type: Self.certificateBlock, derBytes: certificate.der),
        ]
        return Array((blocks.map(\.pemString).joined(separator: "\n") + "\n").utf8)
    }

    private static let keyBlock = "PRIVATE KEY"
    private static let certificateBlock = "CERTIFICATE"
}
