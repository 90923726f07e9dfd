// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HandoffBus
import HandoffSystem
import HandoffWire
import TestBuses
import TestPrograms
import Testing

@testable import HandoffDesktop

/// Files that a program passes with its answer to Save.
// Shows L16.
@Suite(.timeLimit(.minutes(1))) struct GivenFilesTests {
    private static let url = "file:///home/anna/.var/app/com.example.notes/data/a%20note.txt"

    /// O_PATH, which Swift's Glibc does not export.
    private static let placeOnly: CInt = 0o10000000

    private func opened(_ path: String, _ flags: CInt = O_RDONLY) throws -> BusValue {
        let number = open(path, flags | O_CLOEXEC)
        try #require(number >= 0)
        return .descriptor(SharedDescriptor(taking: number))
    }

    private func value(_ files: [(String, BusValue)]) -> BusValue {
        .array(of: .entry(.string, .descriptor), files.map { .entry(.string($0.0), $0.1) })
    }

    private func expectRefused(_ value: BusValue) {
        do throws(Failure) {
            _ = try GivenFiles(value)
            Issue.record("taken")
        } catch {
            #expect(error.code == .malformed)
        }
    }

    @Test func fileIsPassedUnderItsURL() throws {
        let line = ScriptedDaemon()
        let saved = try GivenFiles(value([(Self.url, try opened("/etc/hostname"))])).pass(on: line)
        #expect(saved.map(\.url) == [ExactText(Self.url)])
        #expect(saved.first?.path == (try AbsolutePath("/home/anna/.var/app/com.example.notes/data/a note.txt")))
        #expect(saved.map(\.token) == line.given)
    }

    @Test func descriptorOfAnUnreadableFileIsLeftOut() throws {
        let line = ScriptedDaemon()
        let files = try GivenFiles(
            value([
                ("file:///a", try opened("/dev/null")), ("file:///b", try opened("/etc/hostname", Self.placeOnly)),
                ("file:///c", try opened(NSTemporaryDirectory(), O_RDONLY | O_DIRECTORY | Self.placeOnly)),
            ]))
        #expect(files.pass(on: line).isEmpty)
        #expect(line.given.isEmpty)
    }

    @Test func filesOfAnotherTypeOrWithoutAFileURLAreRefused() throws {
        expectRefused(.string("/etc/passwd"))
        expectRefused(.properties([Self.url: try opened("/etc/hostname")]))
        expectRefused(value([("https://example.com/a", try opened("/etc/hostname"))]))
        expectRefused(value([("/etc/hostname", try opened("/etc/hostname"))]))
    }

    @Test func asManyFilesAsTheLimitSays() throws {
        let files = { (count: Int) in
            try self.value((0..<count).map { ("file:///\($0)", try self.opened("/etc/hostname")) })
        }
        #expect(try GivenFiles(files(Limits.documents)).pass(on: ScriptedDaemon()).count == Limits.documents)
        expectRefused(try files(Limits.documents + 1))
    }

    /// The daemon requests the state, without files, soon after each change.
    @Test func programIsAskedForItsFilesAfterItsStateWasSaved() async throws {
        try await withPrivateBus { fixture, bus in
            let (guest, daemon, id, kept) = try await fixture.silentApp(at: bus.address)
            var answers = daemon.answers.makeAsyncIterator()
            for (number, withFiles) in [(1, false), (2, true), (3, true)] {
                daemon.ask(.advertising(.save(id, deadline: .seconds(30), withFiles: withFiles)), UInt64(number))
                try await guest.wait(toHear: number, isolation: fixture)
                let files = value([(Self.url, try opened("/etc/hostname"))])
                kept.questions.last?.answer([.properties(["files": files])])
                guard case .advertising(.saved(_, _, let saved)) = await answers.next() else {
                    Issue.record("it was not saved")
                    return
                }
                #expect(saved.map(\.url) == (withFiles ? [ExactText(Self.url)] : []))
            }
            // A program that passed none is not asked without a change.
            daemon.ask(.advertising(.save(id, deadline: .seconds(30), withFiles: true)), 4)
            try await guest.wait(toHear: 4, isolation: fixture)
            kept.questions.last?.answer([.properties([:])])
            _ = await answers.next()
            daemon.ask(.advertising(.save(id, deadline: .seconds(30), withFiles: true)), 5)
            _ = await answers.next()
            #expect(guest.heard.count == 4)
        }
    }

    @Test func missingFilesAreNotAnError() throws { #expect(try GivenFiles(nil).isEmpty) }
}
