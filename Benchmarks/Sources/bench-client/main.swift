// SPDX-License-Identifier: Apache-2.0

// A control client that speaks the protocol by hand, so that nothing but the daemon is measured.
//   watch SOCKET PIPE             writes a byte to PIPE for each new title on any board. Reads lines: at `report` says
//                                 `seen TITLE NANOSECONDS ACTIVITY` for each since the last report, then `reported`; at
//                                 `continue ACTIVITY` says `asked NANOSECONDS`, `done NANOSECONDS` or `failed`
//   devices SOCKET COUNT          asks for the device list until COUNT are connected; says `connected NANOSECONDS`
//   echo SOCKET COUNT             asks for the status COUNT times; says `echo NANOSECONDS` for each
//   pulse SOCKET                  asks for the status each millisecond until a line comes; says `pulse NANOSECONDS...`
//   join SOCKET CODE ADDRESS      says `joined NANOSECONDS` taken by the whole of it

import BenchClock
import Glibc

let arguments = CommandLine.arguments
guard arguments.count >= 3, let daemon = Daemon(path: arguments[2]) else {
    say("cannot reach the daemon")
    exit(69)
}

switch arguments[1] {
case "watch": watch(daemon, pipe: arguments.count > 3 ? Int32(arguments[3]) ?? -1 : -1)
case "devices": waitForDevices(daemon, count: Int(arguments[3]) ?? 1)
case "echo": echo(daemon, count: Int(arguments[3]) ?? 1)
case "pulse": pulse(daemon)
case "join": join(daemon, code: arguments[3], address: arguments.count > 4 ? arguments[4] : "")
default: exit(64)
}

func watch(_ daemon: Daemon, pipe: Int32) {
    // list_activities (54) { watch = 1, all = 2 }
    daemon.send(Wire.request(2) + Wire.message(54, [0x08, 1, 0x10, 1]))
    var seen: Set<[UInt8]> = []
    var report: [String] = []
    var polls = [
        pollfd(fd: daemon.socket, events: Int16(POLLIN), revents: 0), pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
    ]
    say("ready")
    while poll(&polls, 2, -1) > 0 {
        if polls[0].revents != 0 {
            let frame = daemon.receive()
            let now = monotonicNanoseconds()
            // activity_list (55) { activities (1) { offer (1) { activity (1), title (3) } } }
            for list in Wire.fields(55, of: frame) {
                for listed in Wire.fields(1, of: list) {
                    for offer in Wire.fields(1, of: listed) {
                        guard let activity = Wire.fields(1, of: offer).first,
                            let title = Wire.fields(3, of: offer).first,
                            seen.insert(title).inserted
                        else { continue }
                        report.append("seen \(String(decoding: title, as: UTF8.self)) \(now) \(hex(activity))")
                        if pipe >= 0 { _ = write(pipe, [0], 1) }
                    }
                }
            }
            if !Wire.fields(58, of: frame).isEmpty { say("done \(now)") }
            if !Wire.fields(12, of: frame).isEmpty { say("failed") }
        }
        if polls[1].revents != 0 {
            guard let line = readLine() else { return }
            if line == "report" {
                for line in report { say(line) }
                say("reported")
                report = []
                continue
            }
            let words = line.split(separator: " ")
            guard words.count == 2, words[0] == "continue" else { exit(64) }
            let start = monotonicNanoseconds()
            // start_continuation (56) { activity = 1 }
            daemon.send(Wire.request(3) + Wire.message(56, Wire.message(1, unhex(words[1]))))
            say("asked \(start)")
        }
    }
}

func waitForDevices(_ daemon: Daemon, count: Int) {
    say("asking")
    while true {
        daemon.send(Wire.request(2) + Wire.message(49, []))
        let frame = daemon.receive()
        // device_list (50) { devices (1) { connected (5) } }
        let connected = Wire.fields(50, of: frame).flatMap { Wire.fields(1, of: $0) }
            .filter { Wire.varints(5, of: $0).contains(1) }
        if connected.count >= count {
            say("connected \(monotonicNanoseconds())")
            return
        }
        usleep(500)
    }
}

func echo(_ daemon: Daemon, count: Int) {
    for _ in 0..<count {
        let start = monotonicNanoseconds()
        daemon.send(Wire.request(2) + Wire.message(40, []))
        _ = daemon.receive()
        say("echo \(monotonicNanoseconds() - start)")
    }
}

func pulse(_ daemon: Daemon) {
    var samples: [Int64] = []
    var input = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
    say("ready")
    while poll(&input, 1, 1) == 0 {
        let start = monotonicNanoseconds()
        daemon.send(Wire.request(2) + Wire.message(40, []))
        _ = daemon.receive()
        samples.append(monotonicNanoseconds() - start)
    }
    say("pulse " + samples.map(String.init).joined(separator: " "))
}

func join(_ daemon: Daemon, code: String, address: String) {
    let start = monotonicNanoseconds()
    daemon.send(
        Wire.request(2)
            + Wire.message(48, Wire.message(1, Array(code.utf8)) + Wire.message(2, Array(address.utf8))))
    let frame = daemon.receive()
    say(Wire.fields(44, of: frame).isEmpty ? "failed" : "joined \(monotonicNanoseconds() - start)")
}

func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

func unhex(_ text: Substring) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
}
