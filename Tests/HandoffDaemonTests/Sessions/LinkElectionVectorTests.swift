// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// `Protocol/vectors/link-election.json`: which of two links to one device stays, on either side.
// Shows Y02.
@Suite struct LinkElectionVectorTests {
    struct Vector: Codable, Equatable {
        struct Link: Codable, Equatable {
            /// From the other device's hello on this link, in hexadecimal.
            var boot: String
            /// From the chooser's hello; zero: it has not chosen this link.
            var choice: UInt64
            /// When the other device's hello arrived, in milliseconds; any value for a chosen link without it.
            var greetedMs: Int64
            /// The preference of its route; higher is better.
            var preference: Int
        }

        var name: String
        /// The deciding device has the lower ID.
        var isChooser: Bool
        var current: Link
        var isGreeted: Bool
        var newcomer: Link
        /// `newcomer` or `current`.
        var stays: String
    }

    @Test func linksStayAsTheVectorsSay() throws {
        let ours = try Self.cases.map { vector in
            var vector = vector
            vector.stays = try stays(vector)
            return vector
        }
        if VectorFile.isWritten { try VectorFile.write(ours, to: "link-election.json") }
        #expect(try VectorFile.read("link-election.json", as: [Vector].self) == ours)
    }

    private func stays(_ vector: Vector) throws -> String {
        let current = try candidate(vector.current)
        let newcomer = try candidate(vector.newcomer)
        let verdict =
            vector.isChooser
            ? LinkElection.choice(
                current: vector.isGreeted ? current : nil, of: current.preference, newcomer: newcomer)
            : LinkElection.latest(current: current, newcomer: newcomer)
        return switch verdict {
        case .takeNewcomer: "newcomer"
        case .keepCurrent: "current"
        }
    }

    private func candidate(_ link: Vector.Link) throws -> LinkElection.Candidate {
        LinkElection.Candidate(
            boot: BootID(try #require(UInt64(link.boot, radix: 16))), choice: link.choice,
            greetedAt: Instant(sinceZero: .milliseconds(link.greetedMs)),
            preference: LinkPreference(rank: link.preference))
    }

    // MARK: The cases

    private static let boot: UInt64 = 0x018f_0000_0000_0000

    private static func link(
        start: UInt64 = 0, choice: UInt64 = 0, at milliseconds: Int64 = 0, preference: Int = 100
    ) -> Vector.Link {
        Vector.Link(
            boot: "0" + String(boot + start, radix: 16), choice: choice, greetedMs: milliseconds, preference: preference
        )
    }

    private static func chooser(
        _ name: String, _ current: Vector.Link, isGreeted: Bool = true, _ newcomer: Vector.Link
    ) -> Vector {
        Vector(name: name, isChooser: true, current: current, isGreeted: isGreeted, newcomer: newcomer, stays: "")
    }

    private static func other(_ name: String, _ current: Vector.Link, _ newcomer: Vector.Link) -> Vector {
        Vector(name: name, isChooser: false, current: current, isGreeted: true, newcomer: newcomer, stays: "")
    }

    private static let cases = [
        chooser("no hello on the chosen link yet", link(choice: 1), isGreeted: false, link(at: 1)),
        chooser("dials that crossed", link(choice: 1), link(at: 3)),
        chooser("a hello exactly 2 s later", link(choice: 1), link(at: 2000)),
        chooser("a hello more than 2 s later", link(choice: 1), link(at: 2001)),
        chooser("the other daemon was started anew", link(choice: 1), link(start: 1, at: 5)),
        chooser("a late hello of a daemon that is gone", link(start: 1, choice: 2), link(at: 60_000)),
        chooser("a better way, in use", link(choice: 1, preference: 1), link(at: 60_000)),
        chooser(
            "a better way, with no hello on the chosen link yet", link(choice: 1, preference: 1), isGreeted: false,
            link(at: 1)),
        chooser("a worse way", link(choice: 1), link(at: 3, preference: 1)),
        chooser("a worse way, more than 2 s later", link(choice: 1), link(at: 60_000, preference: 1)),
        chooser(
            "a worse way, with no hello on the chosen link yet", link(choice: 1), isGreeted: false,
            link(at: 1, preference: 1)),
        chooser("a worse way, to a daemon started anew", link(choice: 1), link(start: 1, at: 5, preference: 1)),
        other("the later choice is of a worse way", link(choice: 1), link(choice: 2, at: 3, preference: 1)),
        other("the later choice comes second", link(choice: 1), link(choice: 2, at: 3)),
        other("the later choice came first", link(choice: 2), link(choice: 1, at: 60_000)),
        other("the chooser was started anew and counts from 1", link(choice: 7), link(start: 1, choice: 1, at: 5)),
        other(
            "a late link of a chooser that is gone", link(start: 1, choice: 1), link(choice: 7, at: 60_000)),
    ]
}
