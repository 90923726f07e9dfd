// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices

/// Measures the time from switching to a tab on one device until another device lists its page, for each browser and
/// for an app that changes its page itself. Prints rows of Markdown; see docs/performance.md.
@main struct MeasureTabs {
    /// Before each switch: longer than the daemon's spacing between the changes of one app.
    private static let rest = 0.4
    /// Like a user who reads: the browser may have suspended the extension.
    private static let longRest = isQuick ? rest : 5.0
    /// `--quick` measures each once, to check that everything runs.
    private static let isQuick = CommandLine.arguments.contains("--quick")
    private static let turns = isQuick ? 1 : 100
    private static let turnsOfAReader = isQuick ? 1 : 15
    private static let goal = "p50 < 150 ms"
    private static let pages = [("roasters", "Coffee roasters"), ("bread", "Banana bread")]

    static func main() {
        Stage.playAsProgram(orSay: "Nothing was measured") { stage in
            if let missing = Network.missing ?? Device.missingBrowser { throw Unmet(missing) }
            try measure(on: stage)
        }
    }

    private static func measure(on stage: Stage) throws {
        let network = try Network(on: stage)
        let laptop = try Device("laptop", on: stage, network: network)
        let desktop = try Device("desktop", on: stage, network: network)
        let web = try Device("web", on: stage, network: network)
        let server = try WebServer(on: web, of: network, named: "coffee.example")
        for device in [laptop, desktop] { try device.startDaemon() }
        try laptop.found(with: [desktop])
        let watch = try desktop.watchActivities()

        say("| what | p50 | p99 | n | goal |\n| --- | --- | --- | --- | --- |")
        try laptop.install(.monkeyBrowser)
        let app = try laptop.open(.monkeyBrowser)
        try app.output.next(starting: "ready")
        let titles = try zip(1..., pages).map { tab, page in
            try app.say("tab \(tab)")
            try app.say("go \(server.page(page.0))")
            let line = try watch.output.next("tab \(tab)") { $0.contains("\"title\"") }
            return try JSON(text: line).elements.first?["title"]?.string ?? ""
        }
        report(
            "floor: MonkeyBrowser turns to another tab, the same way without a browser",
            try times(turns, after: rest, watch) { turn in
                try app.say("tab \(turn % 2 + 1)")
                return titles[turn % 2]
            })
        app.stop()

        for name in ["Chromium", "Firefox"] {
            let browser: any RealBrowser = name == "Chromium" ? try Chromium(on: laptop) : try Firefox(on: laptop)
            let tabs = try pages.map { page, title in
                let tab = try browser.openTab(server.page(page))
                try watch.output.next(title) { $0.contains(title) }
                return tab
            }
            for (count, rest) in [(turns, rest), (turnsOfAReader, longRest)] {
                report(
                    "a tab of \(name) turned to until it is offered on the other device, each after \(rest) s",
                    try times(count, after: rest, watch) { turn in
                        try browser.turn(to: tabs[turn % 2])
                        return pages[turn % 2].1
                    }, goal: goal)
            }
            try browser.kill()
            try watch.output.next("an empty list") { $0 == "[]" }
        }
    }

    /// `turn` returns the text that the list must then contain.
    private static func times(
        _ count: Int, after rest: Double, _ watch: RunningProgram, _ turn: (Int) throws -> String
    ) throws -> [Duration] {
        var times: [Duration] = []
        // The first is not measured, because the list may already have this page.
        for number in 0...count {
            Thread.sleep(forTimeInterval: rest)
            let start = ContinuousClock.now
            let title = try turn(number)
            guard number > 0 else { continue }
            try watch.output.next("\(title) in the list") { $0.contains(title) }
            times.append(ContinuousClock.now - start)
        }
        return times.sorted()
    }

    private static func report(_ what: String, _ sorted: [Duration], goal: String = "") {
        let (half, most) = (sorted[sorted.count / 2], sorted[min(sorted.count - 1, sorted.count * 99 / 100)])
        let words = [half, most].map { String(format: "%.1f ms", $0 / .milliseconds(1)) }
        say("| \(what) | \(words[0]) | \(words[1]) | \(sorted.count) | \(goal) |")
    }

    /// Unbuffered, even into a pipe.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
