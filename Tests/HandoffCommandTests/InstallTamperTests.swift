// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestPrograms
import Testing

/// Shows T07: if a bundle is changed during its installation, either the signed content is installed, or an error names
/// the file.
@Suite struct InstallTamperTests {
    private static let bundle = "1.0/Notes.app"
    private static let installed = "device/apps/com.example.notes.app"
    private let home: Home

    init() async throws { home = try await Home() }

    @Test func alteredOnceItWasVerified() async throws {
        try await home.makeBundle("1.0")
        #expect(try await home.handoff("app", "verify", Self.bundle).end() == 0)
        try home.write("\(Self.bundle)/Contents/Resources/77", "7.7 77")
        let install = try home.handoff("app", "install", Self.bundle, "--trust-team")
        #expect(await install.end() == 65)
        #expect(install.errors.contains("changed: Contents/Resources/77"), "\(install.errors)")
        #expect(try home.entries("device/apps").isEmpty)
    }

    @Test func alteredAtAnyMoment() async throws {
        let (file, signed) = ("Contents/Resources/77", "1.0 77")
        try await home.makeBundle("1.0")
        #expect(try await home.handoff("app", "install", Self.bundle, "--trust-team").end() == 0)
        // From before the first step to after the last, as in InstallCrashTests.
        for step in 0..<16 {
            try home.write("\(Self.bundle)/\(file)", signed)
            let install = try home.handoff("app", "install", Self.bundle)
            _ = await install.wait(.milliseconds(step * 6)) { !$0.isRunning }
            install.send(SIGSTOP)
            // The same length as the signed content.
            try home.write("\(Self.bundle)/\(file)", "7.7 77")
            install.send(SIGCONT)
            try await expectSigned(after: install, or: file)
            #expect(try String(contentsOfFile: home.path("\(Self.installed)/\(file)"), encoding: .utf8) == signed)
        }
    }

    @Test func writtenAllTheWhile() async throws {
        let file = "Contents/Resources/film"
        let frames = [UInt8(1), 2].map { Data(repeating: $0, count: 4 * 1024 * 1024) }
        try await home.makeBundle("1.0", more: [file: frames[0]])
        #expect(try await home.handoff("app", "install", Self.bundle, "--trust-team").end() == 0)
        let writer = try Writer(of: frames, to: home.path("\(Self.bundle)/\(file)"))
        defer { writer.stop() }
        for _ in 0..<8 { try await expectSigned(after: try home.handoff("app", "install", Self.bundle), or: file) }
    }

    /// The signed content is installed, either by this installation, or from before if this one was refused because of
    /// `file`.
    private func expectSigned(after install: Program, or file: String) async throws {
        let code = await install.end()
        if code != 0 {
            #expect(code == 65, "\(install.errors)")
            #expect(install.errors.contains(file), "\(install.errors)")
        }
        let verify = try home.handoff("app", "verify", Self.installed)
        #expect(await verify.end() == 0, "\(verify.output)\(verify.errors)")
        #expect(try home.entries("device/apps") == ["com.example.notes.app"])
    }
}

private final class Writer: Sendable {
    private let isWanted = Mutex(true)
    private let ended = DispatchSemaphore(value: 0)

    init(of contents: [Data], to path: String) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        let thread = Thread { [self] in
            while isWanted.withLock({ $0 }) {
                for content in contents {
                    try? file.seek(toOffset: 0)
                    try? file.write(contentsOf: content)
                }
            }
            ended.signal()
        }
        thread.start()
    }

    func stop() {
        isWanted.withLock { $0 = false }
        ended.wait()
    }
}
