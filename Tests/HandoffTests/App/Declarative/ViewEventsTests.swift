// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff
@testable import HandoffApp

@Suite @MainActor struct ViewEventsTests {
    private nonisolated static let type = "com.example.reader.reading"
    let desktop: Laptop
    let application: UIApplication
    let delegate = Noting()
    /// Calls to views, in order.
    private let seen = Seen()

    init() async throws {
        desktop = try Laptop(bundle: "com.example.reader")
        application = UIApplication(center: desktop.center)
        application.supportsMultipleScenes = true
        application.delegate = delegate
        _ = try await desktop.daemon.hellos.next()
    }

    @MainActor private final class Seen {
        var calls: [String] = []
    }

    /// An open window in front of the others, whose views handle activities.
    private func window(_ name: String, preferring: Set<String>? = nil, allowing: Set<String> = []) -> UIWindow {
        let window = UIWindow()
        window.onContinueUserActivity(Self.type) { [seen] in seen.calls.append("\(name) \($0.title ?? "")") }
        if let preferring { window.handlesExternalEvents(preferring: preferring, allowing: allowing) }
        application.toolkit.windowBecameMain(window)
        return window
    }

    private func arrive(
        _ number: UInt8 = 1, of type: String = Self.type, page: String? = nil, target: String? = nil
    ) async throws -> Bool {
        let continuation = Continuation(number, of: type, on: desktop)
        _ = try await continuation.announce().next()
        return try await continuation.deliver(page: page, target: target).next() == .done(accepted: true)
    }

    // MARK: Views and delegates

    /// Shows U02: on the main thread, and no delegate is called.
    @Test func viewWithAHandlerForTheTypeIsGivenTheActivity() async throws {
        let display = Recorded()
        application.continuationDisplay = display
        let window = window("page")
        let continuation = Continuation(on: desktop)
        #expect(try await continuation.announce().next() == .done(accepted: false))
        // The framework displays the progress.
        #expect(display.events == ["show Continuing from laptop…"])
        #expect(try await continuation.deliver().next() == .done(accepted: true))
        #expect(display.events == ["show Continuing from laptop…", "hide"])
        #expect(seen.calls == ["page Chapter 3"])
        #expect(delegate.calls.isEmpty)
        #expect(window.isOpen)
    }

    // Shows U02.
    @Test func withoutAHandlerItIsTheDelegates() async throws {
        let window = UIWindow()
        window.onContinueUserActivity("com.example.reader.browsing") { _ in Issue.record("it is of another type") }
        window.onOpenURL { _ in Issue.record("it is no page") }
        application.toolkit.windowBecameMain(window)
        #expect(try await arrive())
        #expect(delegate.calls == ["will \(Self.type)", "continue Chapter 3"])
        withExtendedLifetime(window) {}
    }

    /// Shows U02. Each will-continue has one end, even if windows open or close in between.
    @Test func firstHandlerReceivesTheEndOfTheContinuation() async throws {
        let first = Continuation(1, on: desktop)
        _ = try await first.announce().next()
        let window = window("page")
        _ = try await first.deliver().next()
        #expect(delegate.calls == ["will \(Self.type)", "continue Chapter 3"])
        #expect(seen.calls.isEmpty)

        delegate.calls = []
        let second = Continuation(2, on: desktop)
        _ = try await second.announce().next()
        application.toolkit.windowClosed(window)
        #expect(try await second.deliver().next() == .done(accepted: true))
        #expect(delegate.calls == ["will \(Self.type)", "continue Chapter 3"])
        #expect(seen.calls.isEmpty)
    }

    @Test func failureOfWhatWasForViewsIsShownByTheFramework() async throws {
        let display = Recorded()
        application.continuationDisplay = display
        let window = window("page")
        let continuation = Continuation(on: desktop)
        _ = try await continuation.announce().next()
        continuation.fail()
        try await desktop.caughtUp()
        await mainThreadCaughtUp()
        #expect(display.events.count == 3)
        #expect(display.events.last?.hasPrefix("error ") == true)
        #expect(delegate.calls.isEmpty && seen.calls.isEmpty)
        #expect(try await arrive(2))
        #expect(seen.calls == ["page Chapter 3"])
        withExtendedLifetime(window) {}
    }

    @Test func sceneDelegateReceivesNoEventsForViews() async throws {
        let app = SceneApp()
        application.delegate = app
        application.finishLaunching()
        let window = window("page")
        app.calls = []
        #expect(try await arrive())
        #expect(seen.calls == ["page Chapter 3"])
        #expect(app.calls.isEmpty)
        application.toolkit.windowClosed(window)
        #expect(try await arrive(2))
        #expect(app.calls.suffix(2) == ["1 will \(Self.type)", "1 continue Chapter 3"])
    }

    /// A handler may keep nothing.
    @Test func handlerThatKeepsNothingLeavesNothing() async throws {
        weak var given: NSUserActivity?
        let window = UIWindow()
        window.onContinueUserActivity(Self.type) { given = $0 }
        application.toolkit.windowBecameMain(window)
        #expect(try await arrive())
        #expect(await soon { given == nil })
        #expect(try await arrive(2))
        // Views are not asked because a delegate discards its restoration handler.
        application.toolkit.windowClosed(window)
        let late = Continuation(3, on: desktop)
        _ = try await late.announce().next()
        let second = self.window("second")
        #expect(try await late.deliver().next() == .done(accepted: true))
        #expect(seen.calls.isEmpty)
        #expect(delegate.calls == ["will \(Self.type)", "continue Chapter 3"])
        withExtendedLifetime(second) {}
    }

    // MARK: Several handlers

    // Shows U02.
    @Test func allViewsOfTheWindowAreAskedInTheirOrder() async throws {
        let window = window("window")
        let lifetime = HandoffViewLifetime(in: window)
        struct Part: HandoffDeclaredView {
            let viewIdentity: AnyHashable
            let viewLifetime: HandoffViewLifetime
        }
        for name in ["title", "text"] {
            Part(viewIdentity: name, viewLifetime: lifetime).onContinueUserActivity(Self.type) { [seen] _ in
                seen.calls.append(name)
            }
        }
        #expect(try await arrive())
        #expect(seen.calls == ["window Chapter 3", "title", "text"])
    }

    @Test func viewRemovedByAnotherViewsHandlerIsNotCalled() async throws {
        let window = UIWindow()
        application.toolkit.windowBecameMain(window)
        struct Part: HandoffDeclaredView {
            let viewIdentity: AnyHashable
            let viewLifetime: HandoffViewLifetime
        }
        let (first, second) = (HandoffViewLifetime(in: window), HandoffViewLifetime(in: window))
        Part(viewIdentity: 1, viewLifetime: first).onContinueUserActivity(Self.type) { [seen] _ in
            seen.calls.append("first")
            second.end()
        }
        Part(viewIdentity: 2, viewLifetime: second).onContinueUserActivity(Self.type) { _ in
            Issue.record("the view is gone")
        }
        #expect(try await arrive())
        #expect(seen.calls == ["first"])
        // A handler that closes the window ends the event for all of the window's views.
        Part(viewIdentity: 1, viewLifetime: first).onContinueUserActivity(Self.type) { [seen] _ in
            seen.calls.append("closes")
            window.close()
        }
        window.onContinueUserActivity(Self.type) { _ in Issue.record("the window is closed") }
        #expect(try await arrive(2))
        #expect(seen.calls == ["first", "closes"])
    }

    // MARK: The right window

    /// Shows U03.
    @Test func windowThatPrefersTheContentComesToTheFront() async throws {
        let note = window("note", preferring: ["note-7"])
        let others = [window("any", preferring: [], allowing: ["*"]), window("silent")]
        #expect(try await arrive(1, target: "NOTE-7"))
        #expect(application.mainWindow === note)
        #expect(try await arrive(2, target: "note-8"))
        #expect(application.mainWindow === others[0])
        #expect(try await arrive(3, page: "https://example.com/NOTE-7"))
        #expect(seen.calls == ["note Chapter 3", "any Chapter 3", "note Chapter 3"])
    }

    /// Shows U03.
    @Test func windowThatRefusesLeavesItToTheDelegates() async throws {
        let note = window("note", preferring: ["note-7"])
        #expect(try await arrive(1, target: "note-8"))
        #expect(delegate.calls == ["will \(Self.type)", "continue Chapter 3"])
        #expect(seen.calls.isEmpty)
        // In an app with one window, that window takes everything.
        application.supportsMultipleScenes = false
        #expect(try await arrive(2, target: "note-8"))
        #expect(seen.calls == ["note Chapter 3"])
        withExtendedLifetime(note) {}
    }

    /// Shows U03.
    @Test func windowWithoutAHandlerIsNotChosen() async throws {
        let page = window("page")
        let panel = UIWindow()
        panel.handlesExternalEvents(preferring: ["*"], allowing: ["*"])
        application.toolkit.windowBecameMain(panel)
        #expect(try await arrive())
        #expect(seen.calls == ["page Chapter 3"])
        #expect(application.mainWindow === page)
    }

    // MARK: Pages

    /// Shows U04.
    @Test func webPageComesAsItsURL() async throws {
        let window = window("page")
        var urls: [String] = []
        window.onOpenURL { urls.append($0.absoluteString) }
        desktop.center.run {
            _ = window.onContinueUserActivity(NSUserActivityTypeBrowsingWeb) { _ in Issue.record("it is a URL") }
        }
        #expect(try await desktop.log.next().contains("onOpenURL receives the page's URL"))
        #expect(try await arrive(of: NSUserActivityTypeBrowsingWeb, page: "https://example.com/a?b#c"))
        #expect(urls == ["https://example.com/a?b#c"])
        #expect(seen.calls.isEmpty && delegate.calls.isEmpty)
        // A page with the app's own type is an activity.
        #expect(try await arrive(2, page: "https://example.com/a"))
        #expect(urls.count == 1 && seen.calls == ["page Chapter 3"])
    }

    /// Shows U04.
    @Test func webPageWithoutAURLOrAHandlerIsTheDelegates() async throws {
        let window = window("page")
        #expect(try await arrive(1, of: NSUserActivityTypeBrowsingWeb, page: "https://example.com/a"))
        window.onOpenURL { _ in Issue.record("there is none") }
        #expect(try await arrive(2, of: NSUserActivityTypeBrowsingWeb))
        #expect(delegate.calls.count == 4)
        #expect(delegate.calls[2] == "will \(NSUserActivityTypeBrowsingWeb)")
    }

    @Test func urlThatTheAppOpensComesToTheRightWindow() {
        var urls: [String] = []
        let list = window("list")
        list.onOpenURL { urls.append("list \($0.absoluteString)") }
        let item = window("item", preferring: ["todo:item"])
        item.onOpenURL { urls.append("item \($0.absoluteString)") }
        application.toolkit.windowBecameMain(list)
        let (one, all) = (URL(string: "todo:item/7")!, URL(string: "todo:list")!)
        #expect(application.viewEvents.open(one))
        #expect(application.viewEvents.open(all))
        #expect(urls == ["item todo:item/7", "list todo:list"])
        application.toolkit.windowClosed(list)
        application.toolkit.windowClosed(item)
        #expect(!application.viewEvents.open(all))
    }
}

/// Records its calls.
@MainActor
final class Noting: HandoffApplicationDelegate {
    var calls: [String] = []

    func application(_ application: UIApplication, willContinueUserActivityWithType userActivityType: String) -> Bool {
        calls.append("will \(userActivityType)")
        return true
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool {
        calls.append("continue \(userActivity.title ?? "")")
        return true
    }

    func application(
        _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
    ) {
        calls.append("fail \((error as? CocoaError)?.code.rawValue ?? 0)")
    }
}
