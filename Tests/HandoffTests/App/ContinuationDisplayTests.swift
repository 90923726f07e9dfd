// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff
@testable import HandoffApp

/// Shows H02.
@Suite @MainActor struct ContinuationDisplayTests {
    private nonisolated static let type = "com.example.reader.reading"
    let desktop: Laptop
    let application: UIApplication
    let display = Recorded()

    init() async throws {
        desktop = try Laptop(bundle: "com.example.reader")
        application = UIApplication(center: desktop.center)
        application.continuationDisplay = display
        _ = try await desktop.daemon.hellos.next()
    }

    /// Shows H02.
    @Test func progressIsShownUntilContinue() async throws {
        let silent = Silent()
        application.delegate = silent
        let continuation = Continuation(on: desktop)
        #expect(try await continuation.announce(from: "laptop").next() == .done(accepted: false))
        #expect(display.events == ["show Continuing from laptop…"])
        _ = try await continuation.deliver().next()
        #expect(display.events == ["show Continuing from laptop…", "hide"])
    }

    // Shows H06.
    @Test func progressIsGoneAtDidFailAndTheErrorIsShown() async throws {
        let silent = Silent()
        application.delegate = silent
        let continuation = Continuation(on: desktop)
        _ = try await continuation.announce(from: "").next()
        continuation.fail()
        try await desktop.caughtUp()
        await mainThreadCaughtUp()
        let error = "The activity could not be continued: the other device is gone."
        #expect(display.events == ["show Continuing from another device…", "hide", "error \(error)"])
    }

    /// Shows H06.
    @Test func cancellationShowsNoError() async throws {
        let silent = Silent()
        application.delegate = silent
        let continuation = Continuation(on: desktop)
        _ = try await continuation.announce().next()
        continuation.fail(.cancelled)
        try await desktop.caughtUp()
        await mainThreadCaughtUp()
        #expect(display.events == ["show Continuing from laptop…", "hide"])
    }

    @Test func appThatShowsItsOwnIsLeftAlone() async throws {
        let own = Own()
        application.delegate = own
        let continuation = Continuation(on: desktop)
        #expect(try await continuation.announce().next() == .done(accepted: true))
        continuation.fail()
        try await desktop.caughtUp()
        await mainThreadCaughtUp()
        #expect(display.events.isEmpty)
        #expect(own.errors == [4608])
    }

    @Test func lostDaemonEndsTheProgress() async throws {
        let silent = Silent()
        application.delegate = silent
        _ = try await Continuation(on: desktop).announce().next()
        desktop.daemon.kill()
        #expect(try await display.happened.next() == "show")
        #expect(try await display.happened.next() == "hide")
        #expect(try await display.happened.next() == "error")
    }

    @Test func replacementDisplayIsNotAskedToHide() async throws {
        let silent = Silent()
        application.delegate = silent
        let continuation = Continuation(on: desktop)
        _ = try await continuation.announce().next()
        let another = Recorded()
        application.continuationDisplay = another
        _ = try await continuation.deliver().next()
        #expect(display.events.last == "hide")
        #expect(another.events.isEmpty)
    }

    // MARK: Documents

    private func document(_ step: DocumentStep, bytes: UInt64 = 0, total: UInt64? = nil, silent: UInt32 = 0)
        -> DocumentProgress
    {
        DocumentProgress(
            continuation: ContinuationID(uncheckedBytes: Array(repeating: 1, count: 16)),
            name: DisplayText(cleaning: "letter.pages"), bytes: bytes, total: total,
            bytesPerSecond: step == .receiving && total != nil ? 31_000_000 : nil, secondsSilent: silent, step: step)
    }

    @Test func progressTextNamesThePendingStep() {
        var progress = progress(1, from: "laptop")
        let sentences: [(DocumentProgress, String)] = [
            (document(.looking), "Looking for letter.pages…"),
            (document(.askingApp), "Saving letter.pages…"),
            (
                document(.receiving, bytes: 12_000_000, total: 100_000_000),
                "Receiving letter.pages, 12 of 100 MB, 31 MB/s"
            ),
            (document(.receiving, bytes: 1_250_000, total: 2_000_000), "Receiving letter.pages, 1.3 of 2 MB, 31 MB/s"),
            (document(.receiving, bytes: 3, total: 812), "Receiving letter.pages, 3 of 812 B, 31 MB/s"),
            (document(.receiving, bytes: 4200), "Receiving letter.pages, 4.2 kB"),
            (document(.receiving, silent: 2), "Receiving letter.pages, 0 B"),
            (document(.receiving, silent: 12), "Waiting for laptop… no data for 12 s"),
            (document(.placing), "Putting letter.pages in place…"),
        ]
        for (document, sentence) in sentences {
            progress.document = HandoffContinuationProgress.Document(document)
            #expect(progress.text == sentence)
        }
        #expect(HandoffContinuationProgress.shownSilence == .seconds(3))
    }

    @Test func progressOfADocumentIsShownAndMayBeCancelled() async throws {
        let silent = Silent()
        application.delegate = silent
        let continuation = Continuation(on: desktop)
        // Progress of a continuation that is not displayed.
        desktop.daemon.send(.documents(.documentProgress(document(.looking))))
        _ = try await continuation.announce().next()
        desktop.daemon.send(.documents(.documentProgress(document(.receiving, bytes: 1, total: 2))))
        #expect(try await display.happened.next() == "show")
        #expect(try await display.happened.next() == "update")
        #expect(display.events.last == "update Receiving letter.pages, 1 of 2 B, 31 MB/s")
        let progress = try #require(display.progress)
        #expect(progress.document?.totalBytes == 2)
        progress.cancel()
        let frame = try await desktop.daemon.frames.next()
        #expect(frame.message == .documents(.cancelContinuation(continuation.id)))
    }

    @Test func documentNoteIsDisplayed() async throws {
        let silent = Silent()
        application.delegate = silent
        let continuation = Continuation(on: desktop)
        _ = try await continuation.announce().next()
        let note = "letter.pages is newer here, and was not replaced."
        _ = try await desktop.daemon.request(
            .continuation(
                .continueActivity(
                    continuation.id, ActivityState(type: continuation.type),
                    documents: [
                        DeliveredDocument(
                            url: "file:///nowhere/letter.pages", fate: .newerHere,
                            path: try AbsolutePath("/nowhere/letter.pages"), note: note)
                    ])))
        #expect(display.events == ["show Continuing from laptop…", "note \(note)", "hide"])
    }

    // MARK: On a terminal

    private func progress(_ number: UInt8, from origin: String?) -> HandoffContinuationProgress {
        let id = ContinuationID(uncheckedBytes: Array(repeating: number, count: 16))
        return HandoffContinuationProgress(
            id: HandoffContinuationProgress.ID(continuation: id), activityType: Self.type, originName: origin,
            center: nil)
    }

    @Test func terminalShowsALineAndTakesItAway() {
        var written = ""
        let terminal = TerminalDisplay(isTerminal: true) { written += $0 }
        let clear = "\r\u{1B}[K"
        terminal.show(progress(1, from: "laptop"), in: nil)
        #expect(written == "\(clear)Continuing from laptop…")
        terminal.show(progress(2, from: "tablet"), in: nil)
        written = ""
        terminal.hide(progress(2, from: "tablet"))
        #expect(written == "\(clear)Continuing from laptop…")
        written = ""
        terminal.showFailure(CocoaError(.userActivityHandoffFailed), ofActivityType: Self.type, in: nil)
        #expect(written.hasPrefix(clear))
        #expect(written.hasSuffix("\n\(clear)Continuing from laptop…"))
        written = ""
        terminal.hide(progress(1, from: "laptop"))
        #expect(written == clear)
        written = ""
        terminal.showNote("letter.pages is a copy.", in: nil)
        #expect(written == "letter.pages is a copy.\n")
        written = clear
        // Already hidden.
        terminal.hide(progress(1, from: "laptop"))
        #expect(written == clear)
    }

    @Test func terminalKeepsItsLineUpToDate() {
        var written = ""
        let terminal = TerminalDisplay(isTerminal: true) { written += $0 }
        terminal.show(progress(1, from: "laptop"), in: nil)
        written = ""
        var progress = progress(1, from: "laptop")
        progress.document = HandoffContinuationProgress.Document(document(.placing))
        terminal.update(progress, in: nil)
        #expect(written == "\r\u{1B}[KPutting letter.pages in place…")
        terminal.show(self.progress(2, from: "tablet"), in: nil)
        written = ""
        // Behind another progress.
        terminal.update(progress, in: nil)
        #expect(written.isEmpty)
        terminal.hide(self.progress(2, from: "tablet"))
        #expect(written.hasSuffix("Putting letter.pages in place…"))
    }

    @Test func withoutATerminalOnlyErrorsAreWritten() {
        var written = ""
        let display = TerminalDisplay(isTerminal: false) { written += $0 }
        display.show(progress(1, from: "laptop"), in: nil)
        display.hide(progress(1, from: "laptop"))
        #expect(written.isEmpty)
        display.showFailure(
            Failure(.deviceLost, "the other device is gone").cocoaError, ofActivityType: Self.type, in: nil)
        #expect(written == "The activity could not be continued: the other device is gone.\n")
    }
}

@MainActor
final class Recorded: HandoffContinuationDisplay {
    var events: [String] = []
    var progress: HandoffContinuationProgress?
    nonisolated let happened = Mailbox<String>()

    func show(_ progress: HandoffContinuationProgress, in scene: UIScene?) {
        events.append("show \(progress.text)\(scene?.title.map { " in \($0)" } ?? "")")
        happened.post("show")
    }

    func update(_ progress: HandoffContinuationProgress, in scene: UIScene?) {
        self.progress = progress
        events.append("update \(progress.text)")
        happened.post("update")
    }

    func showNote(_ note: String, in scene: UIScene?) {
        events.append("note \(note)")
        happened.post("note")
    }

    func hide(_ progress: HandoffContinuationProgress) {
        events.append("hide")
        happened.post("hide")
    }

    func showFailure(_ error: any Error, ofActivityType activityType: String, in scene: UIScene?) {
        events.append("error \(error.localizedDescription)")
        happened.post("error")
    }
}

private final class Silent: HandoffApplicationDelegate {}

private final class Own: HandoffApplicationDelegate {
    var errors: [Int] = []

    func application(_ application: UIApplication, willContinueUserActivityWithType userActivityType: String) -> Bool {
        true
    }

    func application(
        _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
    ) {
        errors.append((error as? CocoaError)?.code.rawValue ?? 0)
    }
}
