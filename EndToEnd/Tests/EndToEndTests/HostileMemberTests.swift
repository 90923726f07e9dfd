// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// A device that was let in does its worst, with every key that a member has, and so does one that was removed. Each time
/// what `endure` checks: the two others answer each other and their users in their usual time, lose no session, and take
/// bounded memory and descriptors and give them back.
// Shows X06, X13.
@Suite(.serialized, .needsNamespaces, .timeLimit(.minutes(3))) struct HostileMemberTests {
    /// It froze the others for 97 seconds once, and made them send 54 MB.
    @Test func nineHundredNames() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage, neighbour: .member)
            let report = try shared.endure("renames", count: 900)
            #expect(report["sent"]?.number == 900)
        }
    }

    /// Answers that nobody reads took 500 MB once, and kept them.
    @Test(arguments: ["pings", "questions"]) func questionsWhoseAnswersNobodyReads(_ kind: String) throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage, neighbour: .member)
            let report = try shared.endure(kind, count: 200_000)
            #expect(try #require(report["sent"]?.number) > 0)
        }
    }

    /// One that takes its answers may ask for as long as it likes.
    @Test func questionsWhoseAnswersAreRead() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage, neighbour: .member)
            let report = try shared.endure("questions", count: 50_000, "--reads")
            #expect(try #require(report["sent"]?.number) > 0)
        }
    }

    @Test func theWholeRosterAskedForInALoop() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage, neighbour: .member)
            _ = try shared.endure("rosters", count: 100_000)
        }
    }

    /// 20,000 of these made the app save 20,000 times once, and held the daemon for 36 seconds.
    @Test func wishesTakenBackAtOnce() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage, neighbour: .member)
            let report = try shared.endure("fetches", count: 20_000)
            #expect(try #require(report["sent"]?.number) > 0)
        }
    }

    @Test func memberThatComesAndGoes() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage, neighbour: .member)
            let report = try shared.endure("hellos", count: 300)
            #expect(try #require(report["dialled"]?.number) > 0)
        }
    }

    /// Stalls of four to six seconds once, for as long as it went on.
    @Test func recoveriesThatAFormerMemberForged() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage, neighbour: .formerMember)
            let report = try shared.endure("recoveries", count: 200)
            #expect(try #require(report["dialled"]?.number) > 0)
        }
    }

    /// A program of the same user, which may speak to the daemon: 81 MB once.
    @Test(arguments: ["withdraws", "requests"])
    func requestsOfAProgramThatReadsNoAnswer(_ kind: String) throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage)
            let report = try shared.endure {
                try shared.laptop.start(
                    program: [
                        Builds.member, "--socket", shared.laptop.root.appending(path: "run/daemon.sock").path,
                        kind, "--count", "200000",
                    ], name: kind)
            }
            #expect(report["stopped"] != nil, "\(report)")
        }
    }
}
