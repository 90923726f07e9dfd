// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import HandoffWire

extension FileDigest {
    package init(of bytes: [UInt8]) {
        var hasher = FileHasher()
        bytes.withUnsafeBytes { hasher.update($0) }
        self = hasher.finish()
    }
}

/// Reusable for another file.
package struct FileHasher: ~Copyable {
    private let context: OpaquePointer

    /// Traps without memory or SHA-256.
    package init() {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("no memory for a hash") }
        self.context = context
        start()
    }

    deinit { EVP_MD_CTX_free(context) }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else {
            preconditionFailure("libcrypto cannot continue SHA-256")
        }
    }

    package mutating func finish() -> FileDigest {
        let digest = [UInt8](unsafeUninitializedCapacity: FileDigest.byteCount) { buffer, count in
            var length: CUnsignedInt = 0
            guard EVP_DigestFinal_ex(context, buffer.baseAddress, &length) == 1, length == FileDigest.byteCount else {
                preconditionFailure("libcrypto cannot finish SHA-256")
            }
            count = Int(length)
        }
        start()
        return FileDigest(uncheckedBytes: digest)
    }

    private func start() {
        guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            preconditionFailure("libcrypto has no SHA-256")
        }
    }
}
