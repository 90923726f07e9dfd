// SPDX-License-Identifier: Apache-2.0

internal import CHandoffWebFetch
internal import Glibc
internal import HandoffSiteMessages

/// One request: an order on standard input, a report on standard output. The process has dropped its privileges before
/// it parses the answer.
package enum WebFetchProgram {
    package enum ExitCode: Int32 {
        case reported = 0
        case failed = 1
        /// An invalid order for this version (EX_USAGE).
        case usage = 64
    }

    /// Beyond the order's time limit, when the caller has given up.
    private static let spareSeconds: UInt32 = 5

    package static func run() -> ExitCode {
        signal(SIGPIPE, SIG_IGN)
        guard let bytes = read(STDIN_FILENO, atMost: SiteOrder.bytes), let order = SiteOrder(bytes) else {
            return .usage
        }
        cwebfetch_confine(order.time / 1000 + spareSeconds)
        return write(SiteFetchTask(order).run().encoded, to: STDOUT_FILENO) ? .reported : .failed
    }

    /// Nil if it cannot be read, or is longer.
    private static func read(_ descriptor: CInt, atMost limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= limit {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return bytes }
            if count > 0 { bytes += buffer[..<count] } else if errno != EINTR { return nil }
        }
        return nil
    }

    private static func write(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return false }
        }
        return true
    }
}
