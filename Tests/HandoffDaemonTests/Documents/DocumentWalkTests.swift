// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import Testing

@testable import HandoffDaemon

/// Years of a user with three devices. docs/decisions/0038 has the figures. Shows B17.
@Suite struct DocumentWalkTests {
    private static let steps = 60_000
    private static let worlds = [
        DocumentWorld(name: "hand-overs alone", handOvers: 50, saves: 50),
        DocumentWorld(name: "with a sync tool beside", handOvers: 35, saves: 30, syncs: 35),
        DocumentWorld(
            name: "with a sync tool, and apps say when they save", handOvers: 35, saves: 30, syncs: 35,
            isNotedAtHandOver: false),
    ]
    private static let revertingWorld = DocumentWorld(
        name: "also reverts", handOvers: 25, saves: 35, syncs: 35, reverts: 5)

    @Test(arguments: worlds)
    func newerContentIsNeverReplaced(world: DocumentWorld) {
        let counts = walk(in: world, seed: 1, steps: Self.steps)
        #expect(counts.wrong == 0)
        #expect(counts.handOvers > Self.steps / 4)
        // A list of 32 hashes prevents most needless conflicts.
        #expect(counts.needless * 10 < counts.handOvers)
    }

    @Test func unseenRevertsAreRarelyUndone() {
        let counts = walk(in: Self.revertingWorld, seed: 1, steps: Self.steps)
        #expect(counts.wrong * 80 < counts.handOvers)
    }

    @Test(arguments: 0..<60)
    func shortWalks(seed: UInt64) {
        for world in Self.worlds { #expect(walk(in: world, seed: seed, steps: 200).wrong == 0, "seed \(seed)") }
        _ = walk(in: Self.revertingWorld, seed: seed, steps: 200)
    }

    /// Nothing is lost, no copy is needless, and transfers in a circle lead to one content everywhere.
    private func walk(in world: DocumentWorld, seed: UInt64, steps: Int) -> DocumentWalk.Counts {
        var walk = DocumentWalk(world, seed: seed)
        walk.run(steps: steps)
        let counts = walk.counts
        #expect(walk.violations.isEmpty, "\(world), seed \(seed)")
        #expect(walk.lost.isEmpty, "\(world), seed \(seed)")
        #expect(walk.settle(rounds: 3) == true, "\(world), seed \(seed)")
        let settled = walk.counts
        walk.goRound()
        // From then on, there is nothing to decide.
        #expect(walk.counts.conflicts == settled.conflicts, "\(world), seed \(seed)")
        return counts
    }
}
