// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff

@Suite struct FileClaimsTests {
    private static func place(_ path: String) -> FilePlace { FilePlace(try! AbsolutePath("/nowhere/" + path)) }

    private static func claim(
        _ purpose: String, reading: [String] = [], writing: [String] = [], all: [String] = [], within: Set<UInt64> = []
    ) -> FileClaims.Claim {
        FileClaims.Claim(
            accesses: reading.map { FileAccess(place: place($0), isWriting: false, coversContents: false) }
                + writing.map { FileAccess(place: place($0), isWriting: true, coversContents: false) }
                + all.map { FileAccess(place: place($0), isWriting: true, coversContents: true) },
            purpose: purpose, within: within)
    }

    @Test func readersReadTogether() {
        var claims = FileClaims()
        #expect(claims.arrived(Self.claim("a", reading: ["x"])).isGranted)
        #expect(claims.arrived(Self.claim("b", reading: ["x"])).isGranted)
    }

    @Test func writerIsAlone() {
        var claims = FileClaims()
        let reader = claims.arrived(Self.claim("a", reading: ["x"]))
        let writer = claims.arrived(Self.claim("b", writing: ["x"]))
        #expect(!writer.isGranted)
        // Another file is independent.
        #expect(claims.arrived(Self.claim("c", writing: ["y"])).isGranted)
        #expect(claims.ended(reader.id) == [writer.id])
        let second = claims.arrived(Self.claim("d", writing: ["x"]))
        #expect(!second.isGranted)
        #expect(claims.ended(writer.id) == [second.id])
    }

    @Test func waitingWriterIsNotOvertaken() {
        var claims = FileClaims()
        let reader = claims.arrived(Self.claim("a", reading: ["x"]))
        let writer = claims.arrived(Self.claim("b", writing: ["x"]))
        let late = claims.arrived(Self.claim("c", reading: ["x"]))
        #expect(!late.isGranted)
        #expect(claims.ended(reader.id) == [writer.id])
        #expect(claims.ended(writer.id) == [late.id])
    }

    @Test func cancelledClaimUnblocksOthers() {
        var claims = FileClaims()
        _ = claims.arrived(Self.claim("a", reading: ["x"]))
        let writer = claims.arrived(Self.claim("b", writing: ["x"]))
        let late = claims.arrived(Self.claim("c", reading: ["x"]))
        #expect(claims.ended(writer.id) == [late.id])
    }

    @Test func claimDoesNotWaitForItsOwnPurpose() {
        var claims = FileClaims()
        let reader = claims.arrived(Self.claim("a", reading: ["x"]))
        let writer = claims.arrived(Self.claim("b", writing: ["x"]))
        // Within an accessor, and with the same purpose: even before the writer, who waits for them.
        let inner = claims.arrived(Self.claim("c", writing: ["x"], within: [reader.id]))
        #expect(inner.isGranted)
        _ = claims.ended(inner.id)
        #expect(claims.arrived(Self.claim("a", writing: ["x"])).isGranted)
        #expect(!writer.isGranted)
    }

    @Test func presenterAskedToSaveMayWrite() {
        var claims = FileClaims()
        let reader = claims.arrived(Self.claim("a", reading: ["x"]))
        #expect(claims.asks(reader.id, ["presenter"]) == [])
        let save = claims.arrived(Self.claim("presenter", writing: ["x"]))
        #expect(save.isGranted)
        _ = claims.ended(save.id)
        #expect(claims.asks(reader.id, []) == [])
        #expect(!claims.arrived(Self.claim("presenter", writing: ["x"])).isGranted)
    }

    @Test func presenterThatWaitsIsLetThroughWhenItIsAsked() {
        var claims = FileClaims()
        let writer = claims.arrived(Self.claim("a", writing: ["x"]))
        let save = claims.arrived(Self.claim("presenter", writing: ["x"]))
        #expect(!save.isGranted)
        #expect(claims.asks(writer.id, ["presenter"]) == [save.id])
    }

    @Test func wholeFolderClaimCoversItsContents() {
        var claims = FileClaims()
        let folder = claims.arrived(Self.claim("a", all: ["folder"]))
        #expect(!claims.arrived(Self.claim("b", reading: ["folder/x"])).isGranted)
        #expect(claims.arrived(Self.claim("c", reading: ["folder.txt"])).isGranted)
        #expect(claims.ended(folder.id).count == 1)
        // As a list of names it does not conflict.
        #expect(claims.arrived(Self.claim("d", writing: ["other"])).isGranted)
        #expect(claims.arrived(Self.claim("e", writing: ["other/x"])).isGranted)
    }

    @Test func severalFilesAreGrantedTogetherOrNotAtAll() {
        var claims = FileClaims()
        let x = claims.arrived(Self.claim("a", writing: ["x"]))
        let both = claims.arrived(Self.claim("b", writing: ["x", "y"]))
        #expect(!both.isGranted)
        let y = claims.arrived(Self.claim("c", writing: ["y"]))
        #expect(!y.isGranted)
        #expect(claims.ended(x.id) == [both.id])
        #expect(claims.ended(both.id) == [y.id])
    }

    @Test func waitingClaimFollowsAMovedFile() {
        var claims = FileClaims()
        let mover = claims.arrived(Self.claim("a", all: ["old"]))
        let reader = claims.arrived(Self.claim("b", reading: ["old/x"]))
        #expect(claims.moved(from: Self.place("old"), to: Self.place("new")) == [reader.id])
        #expect(claims.places(of: reader.id) == [Self.place("new/x")])
        #expect(claims.places(of: mover.id) == [Self.place("old")])
    }

    /// In random orders: a writer is alone, and finally every claim was granted.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func walksKeepWritersAloneAndEndWithEverybodyServed(seed: UInt64) {
        var random = Seeded(state: seed)
        var claims = FileClaims()
        var granted: [UInt64: FileClaims.Claim] = [:]
        var waiting: [UInt64: FileClaims.Claim] = [:]
        func grant(_ ids: [UInt64]) {
            for id in ids { granted[id] = waiting.removeValue(forKey: id) }
            for (id, claim) in granted {
                for (other, otherClaim) in granted where other != id && claim.purpose != otherClaim.purpose {
                    let isApart = !claim.accesses.contains { a in
                        otherClaim.accesses.contains { a.conflicts(with: $0) }
                    }
                    #expect(isApart, "seed \(seed): \(claim) beside \(otherClaim)")
                }
            }
        }
        let names = ["x", "y", "folder", "folder/x", "folder/x/deep"]
        for _ in 0..<60 {
            if Bool.random(using: &random), let id = granted.keys.sorted().randomElement(using: &random) {
                granted[id] = nil
                grant(claims.ended(id))
                continue
            }
            let purpose = "purpose \(Int.random(in: 0..<6, using: &random))"
            let wanted = (0..<Int.random(in: 1...2, using: &random)).map { _ in names.randomElement(using: &random)! }
            let claim =
                switch Int.random(in: 0..<3, using: &random) {
                case 0: Self.claim(purpose, reading: wanted)
                case 1: Self.claim(purpose, writing: wanted)
                default: Self.claim(purpose, all: wanted)
                }
            let answer = claims.arrived(claim)
            waiting[answer.id] = claim
            if answer.isGranted { grant([answer.id]) }
        }
        while let id = granted.keys.min() {
            granted[id] = nil
            grant(claims.ended(id))
        }
        #expect(waiting.isEmpty, "seed \(seed): \(waiting.count) wait for ever")
        let isOver = claims.isEmpty
        #expect(isOver)
    }
}
