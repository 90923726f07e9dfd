// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// Closed unless given away. For sockets whose errors must be thrown synchronously, or with options that NIO lacks.
package struct OwnedDescriptor: ~Copyable {
    package let number: Int32

    private init(_ number: Int32) { self.number = number }

    /// Non-blocking and close-on-exec.
    package static func socket(_ family: Int32, _ type: __socket_type, protocol: Int32 = 0) throws(SystemError) -> Self
    {
        let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let number = Glibc.socket(family, Int32(type.rawValue) | flags, `protocol`)
        guard number >= 0 else { throw SystemError("socket") }
        return Self(number)
    }

    /// Close-on-exec; shares the other flags with the original.
    package init(duplicating other: Int32) throws(SystemError) {
        let number = fcntl(other, F_DUPFD_CLOEXEC, 0)
        guard number >= 0 else { throw SystemError("fcntl") }
        self.init(number)
    }

    deinit { close(number) }

    package consuming func give() -> Int32 {
        let number = number
        discard self
        return number
    }

    package func set<Value: BitwiseCopyable>(_ level: Int32, _ option: Int32, _ value: Value) throws(SystemError) {
        try Self.set(number, level, option, value)
    }

    package func bind<Address: BitwiseCopyable>(toBytesOf address: Address) throws(SystemError) {
        let result = withUnsafeBytes(of: address) { bytes in
            Glibc.bind(
                number, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(MemoryLayout<Address>.size)
            )
        }
        guard result == 0 else { throw SystemError("bind") }
    }

    package func listen(backlog: Int32) throws(SystemError) {
        guard Glibc.listen(number, backlog) == 0 else { throw SystemError("listen") }
    }

    package var localPort: UInt16 {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                guard getsockname(number, generic, &length) == 0 else { return 0 }
                // Both families store the port after the family.
                return UnsafeRawPointer(generic).load(fromByteOffset: 2, as: UInt16.self).bigEndian
            }
        }
    }

    package var localHost: String? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                getsockname(number, generic, &length) == 0 ? NetworkInterface.numeric(generic) : nil
            }
        }
    }

    package static func set<Value: BitwiseCopyable>(
        _ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Value
    ) throws(SystemError) {
        let result = withUnsafeBytes(of: value) { bytes in
            setsockopt(descriptor, level, option, bytes.baseAddress, socklen_t(bytes.count))
        }
        guard result == 0 else { throw SystemError("setsockopt") }
    }
}
