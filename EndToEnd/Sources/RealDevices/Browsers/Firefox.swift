// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Firefox, controlled with WebDriver BiDi.
package final class Firefox: RealBrowser {
    package let program: RunningProgram
    private let line: BrowserLine

    /// `isPrivate`: every window is private.
    package init(on device: Device, isPrivate: Bool = false, source: ExtensionSource = .checkout) throws {
        let home = try device.settleIn()
        let profile = home.appending(path: "profile")
        for folder in [profile, home.appending(path: ".mozilla")] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        if source == .checkout { try device.handoff("browser", "install", "firefox") }
        try Data(
            """
            user_pref("browser.privatebrowsing.autostart", \(isPrivate));
            user_pref("browser.shell.checkDefaultBrowser", false);
            user_pref("browser.aboutwelcome.enabled", false);
            user_pref("datareporting.policy.dataSubmissionEnabled", false);
            user_pref("app.normandy.enabled", false);
            user_pref("extensions.background.idle.timeout", 2000);

            """.utf8
        ).write(to: profile.appending(path: "user.js"))
        program = try device.start(
            browser: source.prefix + [
                "firefox-esr", "--headless", "--no-remote", "--profile", profile.path, "--remote-debugging-port", "0",
                "--remote-allow-system-access", "about:blank",
            ])
        let said = try program.errors.next("its address", within: .seconds(60)) {
            $0.contains("WebDriver BiDi listening on ")
        }
        line = try BrowserLine(String(said[said.range(of: "ws://")!.lowerBound...]) + "/session", on: device)
        // The sites of a test have their own authority, which the browser's list of roots lacks.
        let capabilities: JSON = device.space == nil ? [:] : ["alwaysMatch": ["acceptInsecureCerts": true]]
        try line.ask("session.new", ["capabilities": capabilities])
        guard source == .checkout else { return }
        try line.ask(
            "webExtension.install", ["extensionData": ["type": "path", "path": .string(Builds.browserExtension)]])
    }

    private func contexts() throws -> [JSON] {
        try line.ask("browsingContext.getTree")["contexts"]?.elements ?? []
    }

    package func tabs() throws -> [String] { try contexts().compactMap { $0["url"]?.string } }

    package func go(to url: String) throws {
        guard let context = try contexts().first?["context"] else { throw Unmet("Firefox has no tab") }
        try line.ask("browsingContext.activate", ["context": context])
        try line.ask("browsingContext.navigate", ["context": context, "url": .string(url), "wait": "complete"])
    }

    package func openTab(_ url: String) throws -> String { try openTab(url, inBackground: false) }

    private func openTab(_ url: String, inBackground: Bool) throws -> String {
        let tab: JSON = ["type": "tab", "background": .bool(inBackground)]
        guard let context = try line.ask("browsingContext.create", tab)["context"] else {
            throw Unmet("Firefox opens no tab")
        }
        try line.ask("browsingContext.navigate", ["context": context, "url": .string(url), "wait": "complete"])
        return context.string ?? ""
    }

    /// Uses Firefox's own button, once Firefox has found an article.
    package func enterReaderView() throws {
        let deadline = ContinuousClock.now + .seconds(15)
        while try chrome("gBrowser.selectedBrowser.isArticle === true") != .bool(true) {
            guard ContinuousClock.now < deadline else { throw Unmet("Firefox finds no article") }
            Thread.sleep(forTimeInterval: 0.02)
        }
        _ = try chrome(
            "gBrowser.selectedBrowser.sendMessageToActor('Reader:ToggleReaderMode', {}, 'AboutReader')")
        while try chrome("gBrowser.currentURI.spec.startsWith('about:reader')") != .bool(true) {
            guard ContinuousClock.now < deadline else { throw Unmet("Firefox shows no reader view") }
            Thread.sleep(forTimeInterval: 0.02)
        }
    }

    /// Runs a script with the rights of Firefox itself.
    private func chrome(_ script: String) throws -> JSON? {
        guard
            let window = try line.ask("browsingContext.getTree", ["moz:scope": "chrome"])["contexts"]?.elements.first?[
                "context"]
        else { throw Unmet("Firefox has no window") }
        return try line.ask(
            "script.evaluate",
            ["expression": .string(script), "target": ["context": window], "awaitPromise": true])["result"]?["value"]
    }

    /// Of the popup, in a tab behind the one in front, once it shows `text`. PNG.
    package func takePictureOfPopup(showing text: String, to file: URL) throws {
        let address = "WebExtensionPolicy.getByID('extension@handoff').getURL('popup.html')"
        guard let url = try chrome(address)?.string else { throw Unmet("Firefox has no extension") }
        let tab = try openTab(url, inBackground: true)
        try wait("\(text) in the popup", at: url, "document.body.innerText") { $0.string?.contains(text) == true }
        let height = try evaluate("document.body.scrollHeight", at: url).number ?? 300
        try line.ask(
            "browsingContext.setViewport",
            [
                "context": .string(tab), "viewport": ["width": 360, "height": .number(height)], "devicePixelRatio": 2,
            ])
        let picture = try line.ask(
            "browsingContext.captureScreenshot", ["context": .string(tab), "origin": "document"])
        guard let data = Data(base64Encoded: picture["data"]?.string ?? "") else { throw Unmet("no picture") }
        try data.write(to: file)
    }

    package func turn(to tab: String) throws { try line.ask("browsingContext.activate", ["context": .string(tab)]) }

    package func evaluate(_ script: String, at url: String) throws -> JSON {
        guard let context = try contexts().first(where: { $0["url"]?.string == url })?["context"] else {
            throw Unmet("no tab shows \(url)")
        }
        let answer = try line.ask(
            "script.evaluate",
            ["expression": .string(script), "target": ["context": context], "awaitPromise": true])
        guard answer["type"]?.string == "success" else { throw Unmet("\(script): \(answer)") }
        return answer["result"]?["value"] ?? .null
    }
}
