// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
internal import NIOCore

extension OwnedDescriptor {
    func bind(to address: SocketAddress) throws(SystemError) {
        let result = address.withSockAddr { pointer, length in Glibc.bind(number, pointer, socklen_t(length)) }
        guard result == 0 else { throw SystemError("bind") }
    }
}
