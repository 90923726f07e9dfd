// SPDX-License-Identifier: Apache-2.0

import Dispatch
import HandoffSystem
import Testing

@Suite struct FileQuestionsTests {
    /// Controls when the lookup of a path returns.
    private final class Gate: Sendable {
        let asked = Lock(0)
        let opened = DispatchSemaphore(value: 0)
        let returned = DispatchSemaphore(value: 0)
    }

    private let questions = FileQuestions(patience: .milliseconds(100))

    private func lengths(_ paths: [String], _ gate: Gate) -> (path: String, answer: Int)? {
        questions.first(of: paths) { path, _ in
            guard path == "silent" else { return path.count > 1 ? path.count : nil }
            gate.asked.withLock { $0 += 1 }
            gate.opened.wait()
            gate.returned.signal()
            return 99
        }
    }

    @Test func theFirstAnswerIsTaken() {
        let found = lengths(["a", "bb", "ccc"], Gate())
        #expect(found?.path == "bb" && found?.answer == 2)
        #expect(lengths(["a"], Gate()) == nil && lengths([], Gate()) == nil)
    }

    @Test func aPathThatDoesNotAnswerIsPassedOverAndNotAskedAgain() {
        let gate = Gate()
        #expect(lengths(["silent", "ccc"], gate)?.path == "ccc")
        #expect(lengths(["silent", "ccc"], gate)?.path == "ccc")
        #expect(lengths(["silent"], gate) == nil)
        #expect(gate.asked.withLock { $0 } == 1)
        gate.opened.signal()
    }

    @Test func aPathThatAnswersLateIsAskedAgain() {
        let gate = Gate()
        #expect(lengths(["silent"], gate) == nil)
        for _ in 0..<2 { gate.opened.signal() }
        gate.returned.wait()
        // Its thread is about to end.
        while lengths(["silent"], gate)?.answer != 99 { gate.opened.signal() }
    }

    /// A large file on a slow disk has no fixed time limit.
    @Test func aQuestionThatMakesProgressIsWaitedFor() {
        let answer = questions.answer(about: "large") { progress in
            let start = ContinuousClock.now
            while ContinuousClock.now - start < .milliseconds(400) { progress.made() }
            return 1
        }
        #expect(answer == 1)
    }
}
