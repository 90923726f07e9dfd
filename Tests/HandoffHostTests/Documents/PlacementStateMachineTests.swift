// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffHost

@Suite struct PlacementStateMachineTests {
    typealias Twin = PlacementTwin

    private static let old = Twin.Item(content: "old", inode: 1)
    private static let new = Twin.Item(content: "new", inode: 2)

    /// Every kind of document on every kind of file system.
    struct Situation: Hashable, CustomTestStringConvertible {
        var replaces = true
        var keepsCopy = false
        var isFolder = false
        var isNamed = false
        var swapsNames = true

        static let all: [Situation] = [true, false].flatMap { replaces in
            [true, false].flatMap { copy in
                [(false, false), (false, true), (true, true)].flatMap { isFolder, isNamed in
                    [true, false].map {
                        Situation(
                            replaces: replaces, keepsCopy: copy && replaces, isFolder: isFolder, isNamed: isNamed,
                            swapsNames: $0)
                    }
                }
            }
        }

        var testDescription: String {
            [
                replaces ? "replacing" : "new", keepsCopy ? "with a copy" : nil, isFolder ? "package" : "file",
                isNamed ? "named" : nil, swapsNames ? nil : "without swaps",
            ].compactMap(\.self).joined(separator: ", ")
        }

        var twin: Twin {
            Twin(old: replaces ? old : nil, new: new, swapsNames: swapsNames, isFolder: isFolder, isNamed: isNamed)
        }

        var plan: PlacementPlan {
            PlacementPlan(
                replaces: replaces ? old.version : nil, keepsCopy: keepsCopy, isFolder: isFolder, isNamed: isNamed)
        }
    }

    @Test func stepsOfAFileThatReplacesAnother() throws {
        var twin = Situation().twin
        #expect(try twin.run(Situation().plan, .none, at: 0) == .placed)
        #expect(
            twin.steps == [.look, .keep, .look, .giveName, .exchange, .lookAtReplaced, .removeReplaced, .sync])
    }

    @Test func stepsOfAPackageInAConflictWhereNamesCannotBeSwapped() throws {
        let situation = Situation(keepsCopy: true, isFolder: true, isNamed: true, swapsNames: false)
        var twin = situation.twin
        #expect(try twin.run(situation.plan, .none, at: 0) == .placed)
        #expect(
            twin.steps == [
                .look, .keep, .copy, .look, .exchange, .moveAside, .lookAtReplaced, .takeName, .removeReplaced, .sync,
            ])
    }

    @Test func stepsOfAFileWhereNamesCannotBeSwapped() throws {
        var twin = Situation(swapsNames: false).twin
        #expect(try twin.run(Situation(swapsNames: false).plan, .none, at: 0) == .placed)
        #expect(twin.steps == [.look, .keep, .look, .giveName, .exchange, .look, .replace, .sync])
    }

    @Test func stepsOfAFileWhereNothingIs() throws {
        var twin = Situation(replaces: false).twin
        #expect(try twin.run(Situation(replaces: false).plan, .none, at: 0) == .placed)
        #expect(twin.steps == [.look, .takeName, .sync])
    }

    @Test(arguments: Situation.all) func takesItsPlace(situation: Situation) throws {
        var twin = situation.twin
        #expect(try twin.run(situation.plan, .none, at: 0) == .placed)
        #expect(twin.names[Twin.name]?.content == "new")
        #expect(twin.versions.map(\.content) == (situation.replaces ? ["old"] : []))
        #expect(twin.names[Twin.copy]?.content == (situation.keepsCopy ? "old" : nil))
        #expect(twin.names.count == (situation.keepsCopy ? 2 : 1))
    }

    /// Every step of every situation: the steps without trouble, and those of undoing.
    private func forEachStep(of situation: Situation, _ body: (Int) throws -> Void) rethrows {
        for number in 0..<16 { try body(number) }
    }

    @Test(arguments: Situation.all) func aStepThatFailsIsUndone(situation: Situation) throws {
        try forEachStep(of: situation) { number in
            var twin = situation.twin
            let end = try twin.run(situation.plan, .failure, at: number)
            guard twin.steps.count > number else { return #expect(end == .placed) }
            let step = twin.steps[number]
            switch step {
            // It is placed all the same.
            case .removeReplaced: #expect(end == .placed)
            case .sync: #expect(twin.names[Twin.name]?.content == "new")
            default:
                #expect(end == .failed(Failure(.documentNotPlaced, "")), "\(step)")
                #expect(twin.names[Twin.name]?.content == (situation.replaces ? "old" : nil), "\(step)")
                #expect(twin.versions.isEmpty, "\(step)")
                #expect(twin.names.count == (situation.replaces ? 1 : 0), "\(step)")
            }
        }
    }

    @Test(arguments: Situation.all) func afterACrashTheOldOrTheNewIsWhole(situation: Situation) {
        forEachStep(of: situation) { number in
            for trouble in [Twin.Trouble.crashBefore, .crashAfter] {
                var twin = situation.twin
                do throws(Twin.Crash) {
                    let end = try twin.run(situation.plan, trouble, at: number)
                    #expect(end == .placed)
                } catch {
                    for names in twin.recovered() { check(names, twin, situation) }
                }
            }
        }
    }

    private func check(_ names: [String: Twin.Item], _ twin: Twin, _ situation: Situation) {
        let step = String(describing: twin.steps.last)
        if situation.replaces {
            let content = names[Twin.name]?.content
            #expect(content == "old" || content == "new", "\(step)")
            let reachable = Set(names.values.map(\.content) + twin.versions.map(\.content))
            #expect(reachable.contains("old"), "\(step)")
        } else {
            #expect(names[Twin.name]?.content != "old")
        }
        #expect(names.keys.allSatisfy { $0 == Twin.name || $0 == Twin.copy })
        // A copy is never incomplete.
        #expect(names[Twin.copy].map { $0.content == "old" } ?? true)
    }

    /// A file that another program puts there keeps a name, and the document is decided again.
    @Test(arguments: Situation.all) func filesOfOtherProgramsAreNeverLost(situation: Situation) throws {
        try forEachStep(of: situation) { number in
            for trouble in [Twin.Trouble.stranger, .removal] {
                var twin = situation.twin
                let end = try twin.run(situation.plan, trouble, at: number)
                guard twin.steps.count > number else { continue }
                let step = twin.steps[number]
                // If names cannot be swapped, a file is replaced without a check, right after it was examined.
                if step == .replace { continue }
                let reachable = Set(twin.names.values.map(\.content) + twin.versions.map(\.content))
                if trouble == .stranger { #expect(reachable.contains("stranger's"), "\(step)") }
                if situation.replaces {
                    #expect(reachable.contains("old") || twin.removedByOthers.contains("old"), "\(step)")
                }
                switch end {
                case .placed: #expect(reachable.contains("new") || twin.removedByOthers.contains("new"), "\(step)")
                case .changedMeanwhile: #expect(twin.names[Twin.aside] == nil, "\(step)")
                case .failed(let failure): #expect(failure.code != .internal, "\(step)")
                }
            }
        }
    }

    @Test func aVersionThatWasLinkedToIsTheSame() {
        var linked = Self.old
        linked.changed += 1
        #expect(linked.version.isSame(butForItsChange: Self.old.version))
        #expect(!Self.new.version.isSame(butForItsChange: Self.old.version))
    }

    @Test func writeDuringKeepingEndsAsChanged() throws {
        var machine = PlacementStateMachine(Situation().plan)
        _ = machine.begun()
        #expect(machine.looked(Self.old.version) == .perform(.keep))
        #expect(machine.kept(Self.new.version) == .perform(.removeVersion))
        #expect(machine.done() == .end(.changedMeanwhile))
    }

    @Test func aNameThatTheConflictCopyCannotHaveIsDecidedAboutAgain() throws {
        var machine = PlacementStateMachine(Situation(keepsCopy: true).plan)
        _ = machine.begun()
        _ = machine.looked(Self.old.version)
        #expect(machine.kept(Self.old.version) == .perform(.copy))
        #expect(machine.nameChanged() == .perform(.removeVersion))
        #expect(machine.done() == .end(.changedMeanwhile))
    }
}
