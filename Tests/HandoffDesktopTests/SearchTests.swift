// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffStrings
import HandoffWire
import TestBuses
import Testing

@testable import HandoffDesktop

/// Called like GNOME Shell and KRunner do, on a real bus. Shows L11.
@Suite(.timeLimit(.minutes(1))) struct SearchTests {
    @Test func theShellFindsDescribesAndContinues() async throws {
        try await withPrivateBus { fixture, bus in
            let list = try ListedActivity.sample(1, "Shopping list").since(minutesAgo: 5)
            let daemon = ScriptedDaemon(offering: [list, try .sample(2, "Holidays")])
            let shell = try await fixture.begin(at: bus.address, daemon)
            let first = try await shell.found("sh", isolation: fixture)
            let answer = try await shell.shell(
                "GetSubsearchResultSet", .strings(first), .strings(["shop", "lap"]), isolation: fixture)
            let ids = try #require(answer[0]?.strings)
            #expect(ids == first && ids.count == 1)
            let metas = try await shell.shell("GetResultMetas", .strings(ids), isolation: fixture)
            #expect(metas.signature == "aa{sv}")
            var meta = try #require(metas[0]?.elements?.first?.properties)
            #expect(meta.removeValue(forKey: "icon")?.type.code == "(sv)")
            #expect(
                meta == [
                    "id": .string(ids[0]), "name": .string("Shopping list"),
                    "description": .string("Notes · laptop · 5 min ago"),
                    "gicon": .string(". GThemedIcon com.example.notes org.handoff.Handoff"),
                ])
            _ = try await shell.shell(
                "ActivateResult", .string(ids[0]), .strings(["shop", "lap"]), .uint32(12345), isolation: fixture)
            var starts = daemon.starts.makeAsyncIterator()
            let offered = try ListedActivity.sample(1, "")
            #expect(await starts.next() == StartContinuation(activity: offered.offer.activity, device: offered.device))
            let asked = daemon.asked.filter { if case .history(.searchHistory) = $0 { false } else { true } }
            // The list and the chosen activity.
            #expect(asked.count == 2)
        }
    }

    /// The shell caches the description of an id.
    @Test func resultOfAChangedActivityStillContinues() async throws {
        try await withPrivateBus { fixture, bus in
            let daemon = ScriptedDaemon(offering: [try .sample(1, "Shopping list")])
            let shell = try await fixture.begin(at: bus.address, daemon)
            let before = try await shell.found("list", isolation: fixture)
            daemon.offer([try .sample(1, "Packing list")])
            await shell.settles(isolation: fixture)
            let after = try await shell.found("list", isolation: fixture)
            #expect(before.count == 1 && after.count == 1 && before != after)
            #expect(try await shell.names(after, isolation: fixture) == ["Packing list"])
            daemon.offer([try .sample(1, "Shopping list")])
            await shell.settles(isolation: fixture)
            #expect(try await shell.found("list", isolation: fixture) == before)
            daemon.offer([try ListedActivity.sample(1, "Shopping list").since(minutesAgo: 70)])
            await shell.settles(isolation: fixture)
            let older = try await shell.found("list", isolation: fixture)
            #expect(older != before && older.count == 1)
            _ = try await shell.shell(
                "ActivateResult", .string(after[0]), .strings(["list"]), .uint32(0), isolation: fixture)
            var starts = daemon.starts.makeAsyncIterator()
            #expect(await starts.next()?.activity == (try ListedActivity.sample(1, "")).offer.activity)
        }
    }

    @Test func eachResultIDHasADescriptionEvenIfGone() async throws {
        try await withPrivateBus { fixture, bus in
            let daemon = ScriptedDaemon(offering: [try .sample(1, "Shopping list"), try .sample(2, "Holidays")])
            let shell = try await fixture.begin(at: bus.address, daemon)
            let ids = try await shell.found("laptop", isolation: fixture)
            daemon.offer([try .sample(2, "Holidays")])
            await shell.settles(isolation: fixture)
            #expect(
                try await shell.names(ids + ["x"], isolation: fixture) == [
                    "No longer available", "Holidays", "No longer available",
                ])
            daemon.vanish()
            await shell.settles(isolation: fixture)
            #expect(try await shell.found("laptop", isolation: fixture).isEmpty)
        }
    }

    @Test func theRunnerFindsAndContinuesInItsAppOrInTheBrowser() async throws {
        try await withPrivateBus { fixture, bus in
            let daemon = ScriptedDaemon(offering: [
                try ListedActivity.sample(1, "Café guide", isForBrowserToo: true).since(minutesAgo: 70),
                try .sample(2, "Cafe"), try .sample(3, "Holidays"),
            ])
            let runner = try await fixture.begin(at: bus.address, daemon)
            let actions = try await runner.runner("Actions", isolation: fixture)
            #expect(actions.signature == "a(sss)")
            #expect(actions[0]?.elements?.first?.elements?.first?.text == "browser")
            let answer = try await runner.runner("Match", .string("CAFE"), isolation: fixture)
            #expect(answer.signature == "a(sssida{sv})")
            let matches = answer[0]?.elements?.compactMap(\.elements) ?? []
            try #require(matches.count == 2)
            let (titles, relevances) = (matches.map { $0[1].text }, matches.map { $0[3].integer })
            #expect(titles == ["Cafe", "Café guide"])
            #expect(relevances == [100, 30])
            #expect(matches[1][5].properties?["subtext"]?.text == "Notes · laptop · 1 h ago")
            let offered = matches.map { $0[5].properties?["actions"]?.strings }
            #expect(offered == [[], ["browser"]])
            let id = try #require(matches[1][0].text)
            _ = try await runner.runner("Run", .string(id), .string(""), isolation: fixture)
            _ = try await runner.runner("Run", .string(id), .string("browser"), isolation: fixture)
            _ = try await runner.runner("Teardown", isolation: fixture)
            var starts = daemon.starts.makeAsyncIterator()
            #expect(await starts.next()?.inBrowser == false)
            #expect(await starts.next()?.inBrowser == true)
            let asked = daemon.asked.filter { if case .history(.searchHistory) = $0 { false } else { true } }
            #expect(asked.count == 3)
        }
    }

    // Shows L11, W05.
    @Test func historyIsFoundAfterOtherDevicesActivities() async throws {
        try await withPrivateBus { fixture, bus in
            let daemon = ScriptedDaemon(offering: [try .sample(1, "Shopping list")])
            let item = HistoryItem(
                number: 7, title: DisplayText(cleaning: "Shopping"), type: .searchableItem,
                app: try BundleID("com.example.notes"), appName: DisplayText(cleaning: "Notes"),
                lastUse: WallTime.now.advanced(by: .seconds(-300)))
            daemon.keep([item])
            let shell = try await fixture.begin(at: bus.address, daemon)
            let ids = try await shell.found("shop", isolation: fixture)
            try #require(ids.count == 2)
            #expect(try await shell.names(ids, isolation: fixture) == ["Shopping list", "Shopping"])
            let metas = try await shell.shell("GetResultMetas", .strings([ids[1]]), isolation: fixture)
            #expect(metas[0]?.elements?.first?.properties?["description"]?.text == "Notes · 5 min ago")
            _ = try await shell.shell(
                "ActivateResult", .string(ids[1]), .strings(["shop"]), .uint32(0), isolation: fixture)
            let answer = try await shell.runner("Match", .string("shopping"), isolation: fixture)
            let matches = answer[0]?.elements?.compactMap(\.elements) ?? []
            // The history's title is exactly the word.
            #expect(matches.map { $0[1].text } == ["Shopping list", "Shopping"])
            #expect(matches.map { $0[3].integer } == [30, 100])
            let id = try #require(matches.last?[0].text)
            _ = try await shell.runner("Run", .string(id), .string(""), isolation: fixture)
            let opened = daemon.asked.filter { $0 == .history(.openHistory(7, activation: nil)) }
            #expect(opened.count == 2)
        }
    }

    /// The daemon refuses while the session is locked or the history is switched off.
    @Test func withoutAHistoryOffersAreStillFound() async throws {
        try await withPrivateBus { fixture, bus in
            let daemon = ScriptedDaemon(offering: [try .sample(1, "Shopping list")])
            daemon.keep(nil)
            let shell = try await fixture.begin(at: bus.address, daemon)
            #expect(try await shell.found("shop", isolation: fixture).count == 1)
        }
    }

    /// Its program may be starting on a slow disk.
    @Test func historyThatDoesNotAnswerDelaysASearchBriefly() async throws {
        try await withPrivateBus { fixture, bus in
            let daemon = ScriptedDaemon(offering: [try .sample(1, "Shopping list")])
            let shell = try await fixture.begin(at: bus.address, daemon)
            daemon.keepSilent()
            #expect(try await shell.found("shop", isolation: fixture).count == 1)
        }
    }

    // Shows L11, L17.
    @Test func searchesShowTheFileOfAnAppsIcon() async throws {
        try await withPrivateBus { fixture, bus in
            let folder = try UserFolder()
            let daemon = ScriptedDaemon(offering: [try .sample(1, "Shopping list")], isThere: true)
            let picture = try daemon.install(in: folder, picture: "picture")
            // On the bus only once the icons are known.
            let guest = try await fixture.begin(at: bus.address, daemon, isThere: false)
            let ids = try await guest.found("list", isolation: fixture)
            let metas = try await guest.shell("GetResultMetas", .strings(ids), isolation: fixture)
            #expect(metas[0]?.elements?.first?.properties?["gicon"]?.text == picture)
            let matches = try await guest.runner("Match", .string("list"), isolation: fixture)
            #expect(matches[0]?.elements?.first?.elements?[2].text == picture)
            withExtendedLifetime(folder) {}
        }
    }

    /// A search may start this program.
    @Test func aSearchBeforeTheFirstListWaitsForIt() async throws {
        try await withPrivateBus { fixture, bus in
            let daemon = ScriptedDaemon(offering: [try .sample(1, "Shopping list")])
            // Longer than all steps take on a busy machine.
            let shell = try await fixture.begin(at: bus.address, daemon, isThere: false, firstList: .seconds(60))
            var answer: [String]?
            shell.connection?.call(
                BusCall(
                    ShellSearch.name, ShellSearch.path, "org.gnome.Shell.SearchProvider2", "GetInitialResultSet",
                    [.strings(["list"])])
            ) {
                answer = (try? $0.get())?[0]?.strings
                shell.hears(BusMessage())
            }
            // Answered once the bus has identified the caller: before that, fewer calls may wait.
            _ = try await shell.shell("GetResultMetas", .strings([]), isolation: fixture)
            // One more than the limit is answered immediately, without results.
            let query = BusCall(
                ShellSearch.name, ShellSearch.path, "org.gnome.Shell.SearchProvider2", "GetInitialResultSet",
                [.strings(["list"])])
            for _ in 1..<SearchWaits.searches { shell.connection?.call(query) { _ in } }
            #expect(try await shell.found("list", isolation: fixture).isEmpty)
            #expect(answer == nil)
            daemon.appear()
            try await shell.wait(isolation: fixture) { _ in answer != nil }
            #expect(answer?.count == 1)
        }
    }

    @Test func withoutADaemonNothingIsFound() async throws {
        try await withPrivateBus { fixture, bus in
            let daemon = ScriptedDaemon(offering: [try .sample(1, "Shopping list")])
            let shell = try await fixture.begin(at: bus.address, daemon, isThere: false)
            #expect(try await shell.found("list", isolation: fixture).isEmpty)
            // Later searches are answered immediately.
            daemon.appear()
            await shell.settles(isolation: fixture)
            #expect(try await shell.found("list", isolation: fixture).count == 1)
        }
    }

    @Test func malformedSearchRequestsAreRefused() async throws {
        try await withPrivateBus { fixture, bus in
            let daemon = ScriptedDaemon()
            let shell = try await fixture.begin(at: bus.address, daemon)
            await #expect(throws: BusFailure.self) {
                try await shell.shell("ActivateResult", .string("x"), .strings([]), .uint32(0), isolation: fixture)
            }
            await #expect(throws: BusFailure.self) {
                try await shell.runner("Run", .string("x-y-z"), .string(""), isolation: fixture)
            }
            let id = ResultID(.offer(try .sample(1, "")), LocalizedStrings(.english), at: .now).text
            await #expect(throws: BusFailure.self) {
                try await shell.runner("Run", .string(id), .string("delete"), isolation: fixture)
            }
            let ids = { (count: Int) in BusValue.strings(Array(repeating: id, count: count)) }
            _ = try await shell.shell("GetResultMetas", ids(ShellSearch.metas), isolation: fixture)
            await #expect(throws: BusFailure.self) {
                try await shell.shell("GetResultMetas", ids(ShellSearch.metas + 1), isolation: fixture)
            }
            #expect(daemon.asked.count == 1)
        }
    }

    @Test func searchOmitsOwnActivitiesAndThoseForScripts() async throws {
        try await withPrivateBus { fixture, bus in
            var own = try ListedActivity.sample(2, "Shopping here")
            own.isFromThisDevice = true
            let daemon = ScriptedDaemon(offering: [
                try .sample(1, "Shopping by script", target: .script), own,
                try .sample(3, "Shopping for nobody", target: .nothing("no app")),
            ])
            let shell = try await fixture.begin(at: bus.address, daemon)
            #expect(try await shell.found("shopping", isolation: fixture).isEmpty)
        }
    }
}

extension Guest {
    fileprivate func shell(
        _ member: String, _ body: BusValue..., isolation: isolated (any Actor)
    ) async throws -> BusMessage {
        try await asks(
            ShellSearch.name, ShellSearch.path, "org.gnome.Shell.SearchProvider2", member, body, isolation: isolation)
    }

    fileprivate func runner(
        _ member: String, _ body: BusValue..., isolation: isolated (any Actor)
    ) async throws -> BusMessage {
        try await asks(
            RunnerSearch.name, RunnerSearch.path, "org.kde.krunner1", member, body, isolation: isolation)
    }

    fileprivate func found(_ words: String..., isolation: isolated (any Actor)) async throws -> [String] {
        try await shell("GetInitialResultSet", .strings(words), isolation: isolation)[0]?.strings ?? []
    }

    fileprivate func names(_ ids: [String], isolation: isolated (any Actor)) async throws -> [String] {
        let metas = try await shell("GetResultMetas", .strings(ids), isolation: isolation)
        return metas[0]?.elements?.compactMap { $0.properties?["name"]?.text } ?? []
    }
}
