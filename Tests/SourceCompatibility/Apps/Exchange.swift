// SPDX-License-Identifier: Apache-2.0

// Not a port: both apps send all the time, for the tests of streams between devices. The user types
//
//     offer SEED        an activity is current; each of its streams sends bytes of that seed
//     streams on|off    whether it supports streams
//     delegate on|off   whether it has a delegate
//     eligible on|off   whether it is eligible for Handoff
//     ask COUNT SEED    requests COUNT streams of the continued activity, which send bytes of that seed

import Foundation
import HandoffApp

/// Bytes in random amounts, determined by a seed.
struct SeededBytes {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// Small and large numbers are equally likely.
    mutating func count() -> Int {
        let most: [UInt64] = [0, 1, 1000, 70_000, 1 << 20, 5 << 20]
        return Int(next() % (most[Int(next() % 6)] + 1))
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count { withUnsafeBytes(of: next()) { bytes += $0 } }
        return Array(bytes.prefix(count))
    }
}

/// The number of bytes and their hash (FNV-1a).
struct Fingerprint: CustomStringConvertible {
    private var count = 0
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        count += bytes.count
        bytes.withUnsafeBytes { for byte in $0 { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01B3 } }
    }

    var description: String { "\(count) bytes \(String(hash, radix: 16))" }
}

/// Sends and receives concurrently, on one thread each. Unchecked: each thread has its own stream.
final class Exchange: @unchecked Sendable {
    private let input: InputStream
    private let output: OutputStream
    private let seed: UInt64

    init(_ input: InputStream, _ output: OutputStream, seed: UInt64) {
        (self.input, self.output, self.seed) = (input, output, seed)
        Thread.detachNewThread { self.send() }
        Thread.detachNewThread { self.receive() }
    }

    private func send() {
        var random = SeededBytes(seed: seed)
        var fingerprint = Fingerprint()
        var left = random.count()
        output.open()
        while left > 0 {
            let piece = random.bytes(min(left, 1 + Int(random.next() % 100_000)))
            var rest = piece[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBufferPointer { output.write($0.baseAddress!, maxLength: $0.count) }
                guard count > 0 else { return report("not sent: \(reason(output.streamError))") }
                rest = rest.dropFirst(count)
            }
            fingerprint.add(piece[...])
            left -= piece.count
        }
        output.close()
        report("sent \(fingerprint)")
    }

    private func receive() {
        var random = SeededBytes(seed: ~seed)
        var fingerprint = Fingerprint()
        var buffer = [UInt8](repeating: 0, count: 100_000)
        input.open()
        while true {
            let count = input.read(&buffer, maxLength: 1 + Int(random.next() % 100_000))
            guard count >= 0 else { return report("not received: \(reason(input.streamError))") }
            guard count > 0 else { break }
            fingerprint.add(buffer[..<count])
        }
        input.close()
        report("received \(fingerprint)")
    }
}

private func reason(_ error: (any Error)?) -> String {
    "\((error as? CocoaError)?.code.rawValue ?? 0) \(error?.localizedDescription ?? "no error")"
}

/// The app with the activity. Unchecked: streams arrive on any thread, and the mutable state is guarded by the lock.
final class ExchangeOrigin: NSObject, NSUserActivityDelegate, @unchecked Sendable {
    let activity = NSUserActivity(activityType: "com.example.exchange.talking")
    private let lock = NSLock()
    /// For the next stream.
    private var seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
        super.init()
        activity.title = "Exchange \(seed)"
        activity.delegate = self
        activity.supportsContinuationStreams = true
        activity.becomeCurrent()
    }

    func userActivity(
        _ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream
    ) {
        let seed = lock.withLock {
            self.seed &+= 1
            return self.seed
        }
        _ = Exchange(inputStream, outputStream, seed: seed)
    }
}

class ExchangeAppDelegate: UIResponder, UIApplicationDelegate {
    private var origin: ExchangeOrigin?
    private var continued: NSUserActivity?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        User.says = { [weak self] in self?.hear($0.split(separator: " ")) }
        report("ready")
        return true
    }

    private func hear(_ words: [Substring]) {
        switch words.first {
        case "offer":
            origin = ExchangeOrigin(seed: UInt64(words[1]) ?? 0)
            report("offered")
        case "streams":
            origin?.activity.supportsContinuationStreams = words[1] == "on"
            report("streams \(words[1])")
        case "delegate":
            origin?.activity.delegate = words[1] == "on" ? origin : nil
            report("delegate \(words[1])")
        case "eligible":
            origin?.activity.isEligibleForHandoff = words[1] == "on"
            report("eligible \(words[1])")
        case "ask": ask(Int(words[1]) ?? 0, seed: UInt64(words[2]) ?? 0)
        default: report("what is \(words)?")
        }
    }

    private func ask(_ count: Int, seed: UInt64) {
        for number in 0..<count {
            continued?.getContinuationStreams { input, output, error in
                guard let input, let output else { return report("no streams: \(reason(error))") }
                _ = Exchange(input, output, seed: seed &+ UInt64(number))
            }
        }
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        continued = userActivity
        report("continued, streams \(userActivity.supportsContinuationStreams)")
        return true
    }
}
