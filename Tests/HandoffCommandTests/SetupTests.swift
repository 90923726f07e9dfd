// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

@Suite struct SetupTests {
    private static let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path
    private static let hasApt = FileManager.default.isExecutableFile(atPath: "/usr/bin/apt-get")

    // Tests both locks, because apt-get's own option only waits for dpkg's.
    @Test(
        .enabled(if: Self.hasApt, "this is no Debian"),
        arguments: [(["update"], "apt/lists/lock"), (["install", "-y"], "dpkg/lock-frontend")]
    ) func aLockThatAnotherHoldsIsWaitedFor(arguments: [String], lock: String) async throws {
        let machine = try Machine()
        let held = try machine.hold(lock)
        let apt = try machine.apt(arguments, patience: 60)
        #expect(await apt.wait { $0.errors.contains("\n") })
        #expect(apt.isRunning)
        #expect(
            apt.errors.hasPrefix("setup: waiting for another package manager, process \(getpid()) ("), "\(apt.errors)")
        try held.close()
        #expect(await apt.end() == 0, "\(apt.output)")
        #expect(apt.errors.split(separator: "\n").count == 1, "it is said once")
    }

    @Test(.enabled(if: Self.hasApt, "this is no Debian")) func theWaitHasABound() async throws {
        let machine = try Machine()
        let held = try machine.hold("apt/lists/lock")
        let apt = try machine.apt(["update"], patience: 0)
        #expect(await apt.end() == 100)
        #expect(apt.errors.contains("still holds the lock after "), "\(apt.errors)")
        #expect(apt.output.contains("Could not get lock"))
        try held.close()
        let missing = try machine.apt(["install", "-y", "no-such-package"], patience: 60)
        #expect(await missing.end() == 100)
        #expect(missing.errors.isEmpty, "\(missing.errors)")
    }

    @Test func installedProgramsAreStrippedUnlessToldNotTo() async throws {
        func recipe(_ arguments: String...) async throws -> [String] {
            let make = try Program(
                ["/usr/bin/env", "make", "-n", "install", "SWIFT=true"] + arguments,
                environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"], folder: Self.checkout)
            #expect(await make.end() == 0, "\(make.errors)")
            return Array(make.output.components(separatedBy: "install -D -m 755 ").dropFirst())
        }
        let stripped = try await recipe()
        // The program with three names, the two D-Bus programs, the history, and the program that contacts web sites.
        #expect(stripped.count == 5)
        for line in stripped { #expect(line.hasPrefix("-s --strip-program=strip "), "\(line)") }
        let whole = try await recipe("STRIP=")
        #expect(whole.count == 5)
        for line in whole { #expect(!line.contains("strip"), "\(line)") }
    }

    /// A folder that apt-get treats as a machine without packages or sources.
    private final class Machine {
        private let path: String

        init() throws {
            var template = Array("/tmp/handoff-apt-XXXXXX".utf8CString)
            guard let made = mkdtemp(&template) else { throw CocoaError(.fileWriteUnknown) }
            path = String(cString: made)
            for folder in [
                "var/lib/dpkg", "var/lib/apt/lists/partial", "var/cache/apt/archives/partial", "etc/apt/apt.conf.d",
                "etc/apt/preferences.d", "etc/apt/sources.list.d", "etc/apt/trusted.gpg.d", "var/log/apt",
            ] {
                try FileManager.default.createDirectory(
                    atPath: "\(path)/\(folder)", withIntermediateDirectories: true)
            }
            try Data().write(to: URL(filePath: "\(path)/var/lib/dpkg/status"))
            try Data("Dir \"\(path)\"; APT::Sandbox::User \"root\";\n".utf8)
                .write(to: URL(filePath: "\(path)/apt.conf"))
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        /// `patience`: seconds.
        func apt(_ arguments: [String], patience: Int) throws -> Program {
            try Program(
                ["\(SetupTests.checkout)/Scripts/apt-get"] + arguments + ["-q"],
                environment: [
                    "PATH": "/usr/bin:/bin", "APT_CONFIG": "\(path)/apt.conf", "APT_PATIENCE": "\(patience)",
                ], folder: path)
        }

        /// Locks like another apt-get. Closing the handle releases the lock.
        func hold(_ lock: String) throws -> FileHandle {
            let name = "\(path)/var/lib/\(lock)"
            let descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
            guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            var range = flock()
            range.l_type = Int16(F_WRLCK)
            range.l_whence = Int16(SEEK_SET)
            guard fcntl(descriptor, F_SETLK, &range) == 0 else { throw CocoaError(.fileLocking) }
            return file
        }
    }
}
