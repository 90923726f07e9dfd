// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// Creating it empties the thread's error queue.
struct OpenSSLError: Error {
    /// libcrypto's text: "wrong tag".
    let reason: String

    /// The queue's oldest error is nearest to the cause.
    init() {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0, let text = ERR_reason_error_string(code) else {
            reason = "no reason given"
            return
        }
        reason = String(cString: text)
    }
}

extension OpaquePointer? {
    func orError() throws(OpenSSLError) -> OpaquePointer {
        guard let self else { throw OpenSSLError() }
        return self
    }
}

func encoding(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> CInt) throws(OpenSSLError) -> [UInt8] {
    let count = write(nil)
    guard count > 0 else { throw OpenSSLError() }
    var written: CInt = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, initialized in
        var cursor = buffer.baseAddress
        written = write(&cursor)
        initialized = max(0, Int(written))
    }
    guard written == count else { throw OpenSSLError() }
    return bytes
}

/// Calls a `d2i` function. Nil if forbidden bytes follow, so that nothing can hide there.
func decoding(
    _ bytes: [UInt8], _ read: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?,
    free: (OpaquePointer) -> Void, mayFollow: (UInt8) -> Bool = { _ in false }
) -> OpaquePointer? {
    bytes.withUnsafeBufferPointer { buffer in
        var cursor = buffer.baseAddress
        let value = read(&cursor, buffer.count)
        ERR_clear_error()
        guard let value else { return nil }
        guard let start = buffer.baseAddress, let end = cursor, buffer[(end - start)...].allSatisfy(mayFollow) else {
            free(value)
            return nil
        }
        return value
    }
}
