// SPDX-License-Identifier: Apache-2.0

internal import CHandoffWebFetch
internal import Glibc
internal import HandoffSiteWords

/// The program that asks one web site one question: an order on standard input, a report on standard output.
///
/// What a site sends is read here, by a process that is gone after it, and has given up what it can before.
package enum WebFetchProgram {
    /// What it returns to who started it.
    package enum ExitCode: Int32 {
        case reported = 0
        case failed = 1
        /// The order is none that this version understands (EX_USAGE).
        case usage = 64
    }

    /// Beyond the time that an order has, seconds. Who waits gives up by then.
    private static let spareSeconds: UInt32 = 5

    package static func run() -> ExitCode {
        signal(SIGPIPE, SIG_IGN)
        guard let bytes = read(STDIN_FILENO, atMost: SiteOrder.bytes), let order = SiteOrder(bytes) else {
            return .usage
        }
        cwebfetch_confine(order.time / 1000 + spareSeconds)
        return write(SiteErrand(order).run().encoded, to: STDOUT_FILENO) ? .reported : .failed
    }

    /// To the end. nil: it cannot be read, or is longer.
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
