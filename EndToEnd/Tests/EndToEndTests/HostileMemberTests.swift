// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Attacks by a malicious member with all of a member's keys, and by a removed member. `endure` checks after each that
/// the two other devices respond to each other and their users in the usual time, lose no session, and use bounded
/// memory and descriptors, which they release.
// Shows X06, X13.
@Suite(.serialized, .needsNamespaces, .timeLimit(.minutes(3))) struct HostileMemberTests {
    /// Formerly this blocked the others for 97 seconds, and made them send 54 MB.
    @Test func nineHundredNames() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage, neighbour: .member)
            let report = try shared.endure("renames", count: 900)
            #expect(report["sent"]?.number == 900)
        }
    }

    /// Unread answers formerly used 500 MB, which were never freed.
    @Test(arguments: ["pings", "questions"]) func memberThatReadsNoAnswersDoesNoHarm(_ kind: String) throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage, neighbour: .member)
            let report = try shared.endure(kind, count: 200_000)
            #expect(try #require(report["sent"]?.number) > 0)
        }
    }

    /// The loop's turns are limited by cost: each of these costs as much as many others.
    @Test func wholeBoardsChangedAtEachDelta() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage, neighbour: .member)
            let report = try shared.endure("deltas", count: 200)
            #expect(report["sent"]?.number == 200, "\(report)")
        }
    }

    /// A member that reads the answers may ask without limit.
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

    /// 20,000 of these formerly made the app save 20,000 times, and blocked the daemon for 36 seconds.
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

    /// Formerly the others stalled for four to six seconds each time.
    @Test func recoveriesThatAFormerMemberForged() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage, neighbour: .formerMember)
            let report = try shared.endure("recoveries", count: 200)
            #expect(try #require(report["dialled"]?.number) > 0)
        }
    }

    /// A state that names the laptop's files, continued by the laptop: in values, sets and keys, deeply nested and in
    /// odd spellings, and as documents without a reference.
    @Test func filesThatAMemberNamesReachNoScript() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage, neighbour: .member)
            let (member, offered) = try shared.offered(by: "offeredfiles")
            let state = try shared.laptop.json("activity", "continue", offered)
            #expect("\(state)".contains("milk"))
            #expect(!"\(state)".contains("passwd") && !"\(state)".lowercased().contains("file:"), "\(state)")
            let userInfo = try #require(state["activity"]?["userInfo"], "\(state)")
            #expect(userInfo["plain"] == .null && userInfo["odd"] == .null && userInfo["document"] == .null)
            let report = try JSON(text: try member.output.next("its report") { $0.hasPrefix("{") })
            #expect(report["fetched"]?.number == 1)
            #expect(report["closed"] == .bool(false))
            try shared.ping()
        }
    }

    @Test func aMalformedStateFailsTheContinuation() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage, neighbour: .member)
            let (member, offered) = try shared.offered(by: "offeredgarbage")
            let ended = try shared.laptop.command(["activity", "continue", offered, "--json"])
            #expect(ended.code != 0 && !ended.output.contains("userInfo"), "\(ended.output)")
            let report = try JSON(text: try member.output.next("its report") { $0.hasPrefix("{") })
            #expect(report["fetched"]?.number == 1 && report["closed"] == .bool(true), "\(report)")
            try shared.ping()
        }
    }

    /// It announces four gigabytes and sends one.
    @Test func aDocumentThatIsCutGivesItsRoomBack() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage, neighbour: .member)
            let (member, offered) = try shared.offered(by: "offeredcut")
            let ended = try shared.laptop.command(["activity", "continue", offered, "--json"])
            #expect(ended.code != 0 && ended.output.contains("streamCut"), "\(ended)")
            // The answer does not wait for the disk, which may be slow.
            try shared.wait("the laptop to give back the room of the document", within: .seconds(10)) {
                try shared.ping()
                return try shared.laptop.openBytes() < 10_000_000
            }
            #expect(try member.leave()["streams"]?.number == 1)
        }
    }

    /// Taken literally, the owner could not read a closed file, and others could write to an open one.
    @Test(arguments: ["offeredclosed", "offeredopen"]) func modesOfAMemberAreNotTakenLiterally(_ kind: String) throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage, neighbour: .member)
            let (member, offered) = try shared.offered(by: kind)
            let state = try shared.laptop.json("activity", "continue", offered)
            let place = try #require(state["activity"]?["userInfo"]?["note"]?.string, "\(state)")
            let path = try #require(URL(string: place)?.path(percentEncoded: false), "\(place)")
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let mode = try #require(attributes[.posixPermissions] as? Int)
            #expect(mode & 0o600 == 0o600 && mode & 0o7133 == 0, "\(String(mode, radix: 8))")
            try shared.ping()
            #expect(try member.leave()["streams"]?.number == 1)
        }
    }

    /// 32,000 times the place of one document: 25 MB, if they were created before the limit is checked.
    @Test func placesThatWouldNotFitFailTheContinuation() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage, neighbour: .member)
            let daemon = try #require(shared.laptop.daemon)
            let (member, offered) = try shared.offered(by: "offeredplaces")
            try daemon.forgetPeak()
            let before = try daemon.vitals()
            let ended = try shared.laptop.command(["activity", "continue", offered, "--json"])
            #expect(ended.code != 0 && ended.output.contains("malformed"), "\(ended)")
            #expect(try daemon.vitals().peak <= before.resident + SharedNetwork.memoryForMembers)
            try shared.ping()
            #expect(try member.leave()["streams"]?.number == 1)
        }
    }

    /// Otherwise each of them could admit the member again, and would receive every secret of the account.
    @Test func devicesThatAMemberAdmittedAreRemovedWithIt() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage, neighbour: .member)
            let member = try shared.start("admits", count: 40)
            let report = try JSON(text: try member.output.next("its report") { $0.hasPrefix("{") })
            #expect(report["sent"]?.number == 40)
            try shared.wait("both to know all devices", within: .seconds(20)) {
                try shared.trust().allSatisfy { $0.count == 43 }
            }
            let removal = try shared.laptop.json("device", "remove", "neighbour", "--with-admitted", "--yes")
            #expect(removal["alsoRemoved"]?.elements.count == 40 && removal["remaining"]?.elements == [])
            try shared.wait("both to know no other device", within: .seconds(20)) {
                try shared.trust().allSatisfy { $0.count == 2 }
            }
            try shared.ping()
        }
    }

    /// The session ends without an answer, and nothing is kept.
    @Test func filesInASentActivityEndTheSession() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage, neighbour: .member)
            for kind in ["sentfiles", "sentdocuments", "sentgarbage"] {
                let member = try shared.start(kind, count: 1)
                let report = try JSON(text: try member.output.next("its report") { $0.hasPrefix("{") })
                #expect(report["answered"] == .bool(false) && report["closed"] == .bool(true), "\(kind): \(report)")
                try member.say("enough")
                try member.waitForExit()
            }
            let listed = try shared.laptop.json("activity", "list", "--all")
            #expect(!listed.elements.contains { $0["sent"] == .bool(true) }, "\(listed)")
            try shared.ping()
        }
    }

    /// A program of the same user, which may connect to the daemon. Formerly it used 81 MB.
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

extension Device {
    /// Disk space of the daemon's open files, including unnamed ones.
    fileprivate func openBytes() throws -> Int {
        let pid = try #require(daemon).pid
        let blocks = try output(of: "sh", "-c", "stat -L -c %b /proc/\(pid)/fd/* 2>/dev/null || true")
        return blocks.compactMap { Int($0) }.reduce(0, +) * 512
    }
}

extension RunningProgram {
    /// Ends the member's session, and returns its report.
    fileprivate func leave() throws -> JSON {
        try say("enough")
        return try JSON(text: try output.next("its report", within: .seconds(25)) { $0.hasPrefix("{") })
    }
}
