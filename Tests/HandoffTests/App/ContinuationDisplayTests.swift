// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff
@testable import HandoffApp

/// What the framework shows in the app's place. Shows H02, H06.
@Suite @MainActor struct ContinuationDisplayTests {
    private nonisolated static let type = "com.example.reader.reading"
    let desktop: Laptop
    let application: Application
    let display = Recorded()

    init() async throws {
        desktop = try Laptop(bundle: "com.example.reader")
        application = Application(center: desktop.center)
        application.continuationDisplay = display
        _ = try await desktop.daemon.hellos.next()
    }

    /// Shows H02: shown when the hook is missing, gone when the content is here.
    @Test func progressIsShownUntilContinue() async throws {
        let silent = Silent()
        application.delegate = silent
        let continuation = Continuation(on: desktop)
        #expect(try await continuation.announce(from: "laptop").next() == .done(accepted: false))
        #expect(display.events == ["show Continuing from laptop…"])
        _ = try await continuation.deliver().next()
        #expect(display.events == ["show Continuing from laptop…", "hide"])
    }

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

    /// Shows H06: one that its user caused is no news.
    @Test func cancellationBothersNobody() async throws {
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

    @Test func displayThatIsSetMeanwhileIsNotAskedToHideWhatItDidNotShow() async throws {
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

    // MARK: On a terminal

    private func progress(_ number: UInt8, from origin: String?) -> ContinuationProgress {
        let id = ContinuationID(uncheckedBytes: Array(repeating: number, count: 16))
        return ContinuationProgress(
            id: ContinuationProgress.ID(continuation: id), activityType: Self.type, originName: origin)
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
        // Hidden already.
        terminal.hide(progress(1, from: "laptop"))
        #expect(written == clear)
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
final class Recorded: ContinuationDisplay {
    var events: [String] = []
    nonisolated let happened = Mailbox<String>()

    func show(_ progress: ContinuationProgress, in scene: Scene?) {
        events.append("show \(progress.text)\(scene?.title.map { " in \($0)" } ?? "")")
        happened.post("show")
    }

    func hide(_ progress: ContinuationProgress) {
        events.append("hide")
        happened.post("hide")
    }

    func showFailure(_ error: any Error, ofActivityType activityType: String, in scene: Scene?) {
        events.append("error \(error.localizedDescription)")
        happened.post("error")
    }
}

private final class Silent: ApplicationDelegate {}

private final class Own: ApplicationDelegate {
    var errors: [Int] = []

    func application(_ application: Application, willContinueUserActivityWithType userActivityType: String) -> Bool {
        true
    }

    func application(
        _ application: Application, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
    ) {
        errors.append((error as? CocoaError)?.code.rawValue ?? 0)
    }
}
