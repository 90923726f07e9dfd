// SPDX-License-Identifier: Apache-2.0

package import Glibc

extension sockaddr_un {
    /// Nil above the system's limit of 107 bytes.
    package init?(path: String) {
        self.init()
        sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: sun_path), !bytes.contains(0) else { return nil }
        withUnsafeMutableBytes(of: &sun_path) { $0.copyBytes(from: bytes) }
    }

    package func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: self) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
