// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffApp

/// Shows S07.
@Suite struct SceneChoiceTests {
    private typealias Choice = SceneChoice<String>

    private func scene(
        _ id: String, prefers: Bool = false, can: Bool = true, active: Bool = false, use: UInt64
    ) -> SceneCandidate<String> {
        SceneCandidate(id: id, prefers: prefers, can: can, isActive: active, lastUse: use)
    }

    @Test func withoutAnySceneOneIsMade() {
        #expect(Choice.forContinuation(among: [], mayOpenAnother: true) == .new)
        #expect(Choice.forRequest(among: [], mayOpenAnother: true) == .new)
    }

    @Test func preferringScenePrecedesTheFrontScene() {
        let scenes = [scene("letter", prefers: true, use: 1), scene("list", active: true, use: 2)]
        #expect(Choice.forContinuation(among: scenes, mayOpenAnother: true) == .existing("letter"))
    }

    @Test func preferringSceneIsChosenEvenIfItSaysItCannot() {
        let scenes = [scene("letter", prefers: true, can: false, use: 1), scene("list", use: 2)]
        #expect(Choice.forContinuation(among: scenes, mayOpenAnother: true) == .existing("letter"))
    }

    @Test func activeSceneIsChosenThenTheMostRecentlyUsed() {
        let older = scene("older", use: 1)
        let newer = scene("newer", use: 2)
        #expect(Choice.forContinuation(among: [older, newer], mayOpenAnother: true) == .existing("newer"))
        let active = scene("active", active: true, use: 0)
        #expect(Choice.forContinuation(among: [older, newer, active], mayOpenAnother: true) == .existing("active"))
    }

    @Test func newSceneIsMadeIfNoSceneCanContinue() {
        let scenes = [scene("letter", can: false, active: true, use: 1)]
        #expect(Choice.forContinuation(among: scenes, mayOpenAnother: true) == .new)
        // If it must be the only scene, it takes the activity despite its conditions.
        #expect(Choice.forContinuation(among: scenes, mayOpenAnother: false) == .existing("letter"))
    }

    // Shows S08.
    @Test func requestMakesASceneUnlessOnePrefers() {
        let list = scene("list", active: true, use: 2)
        #expect(Choice.forRequest(among: [list], mayOpenAnother: true) == .new)
        #expect(Choice.forRequest(among: [list], mayOpenAnother: false) == .existing("list"))
        let letter = scene("letter", prefers: true, use: 1)
        #expect(Choice.forRequest(among: [list, letter], mayOpenAnother: true) == .existing("letter"))
    }

    /// Properties for all scenes.
    @Test(arguments: 0..<2000 as Range<UInt64>)
    func anyScenes(seed: UInt64) {
        var random = Seeded(state: seed)
        let scenes = (0..<UInt64.random(in: 0...6, using: &random)).shuffled(using: &random).map { use in
            scene(
                "\(use)", prefers: .random(using: &random), can: .random(using: &random),
                active: .random(using: &random), use: use)
        }
        let mayOpenAnother = Bool.random(using: &random)
        let choice = Choice.forContinuation(among: scenes, mayOpenAnother: mayOpenAnother)
        #expect(Choice.forContinuation(among: scenes.reversed(), mayOpenAnother: mayOpenAnother) == choice)
        let prefer = scenes.filter(\.prefers)
        let can = scenes.filter(\.can)
        switch choice {
        case .new:
            #expect(prefer.isEmpty && can.isEmpty && (mayOpenAnother || scenes.isEmpty), "seed \(seed)")
        case .existing(let id):
            let chosen = scenes.first { $0.id == id }!
            let rivals = !prefer.isEmpty ? prefer : !can.isEmpty ? can : scenes
            #expect(rivals.contains(chosen), "seed \(seed)")
            #expect(chosen.isActive || !rivals.contains(where: \.isActive), "seed \(seed)")
            let equals = rivals.filter { $0.isActive == chosen.isActive }
            #expect(equals.allSatisfy { $0.lastUse <= chosen.lastUse }, "seed \(seed)")
        }
        let request = Choice.forRequest(among: scenes, mayOpenAnother: mayOpenAnother)
        #expect(prefer.isEmpty || request == choice, "seed \(seed)")
        #expect(!prefer.isEmpty || (request == .new) == (mayOpenAnother || scenes.isEmpty), "seed \(seed)")
    }
}
