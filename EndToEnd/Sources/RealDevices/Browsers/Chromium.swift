// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Chromium, controlled with DevTools.
package final class Chromium: RealBrowser {
    package let program: RunningProgram
    private let line: BrowserLine
    /// Session of the first tab.
    private var tab: String

    /// The key in Extension/manifest.json determines this identifier.
    private static let popup = "chrome-extension://lnhlmmmednmpnolcjmofpcfajimoiomc/popup.html"

    /// `screen`: shows its windows; nil for a headless browser. `app`: the address of a web app whose window is opened
    /// instead of an empty tab.
    package init(
        on device: Device, language: String = "en-US", screen: Desktop? = nil, app: String? = nil,
        source: ExtensionSource = .checkout
    ) throws {
        let home = try device.settleIn()
        let profile = home.appending(path: ".config/chromium")
        try FileManager.default.createDirectory(at: profile, withIntermediateDirectories: true)
        if source == .checkout { try device.handoff("browser", "install", "chromium") }
        device.environment["LANGUAGE"] = language
        device.environment["DISPLAY"] = screen?.environment["DISPLAY"] ?? ""
        program = try device.start(
            browser: source.prefix + [
                "chromium", screen == nil ? "--headless=new" : "--ozone-platform=x11", "--no-sandbox", "--no-first-run",
                // Containers have little shared memory, and tabs crash when it is used up.
                "--disable-gpu", "--disable-dev-shm-usage",
                "--user-data-dir=\(profile.path)", "--remote-debugging-port=0", "--lang=\(language)",
            ] + (source == .checkout ? ["--load-extension=\(Builds.browserExtension)"] : [])
                // The sites of a test have their own authority, which the browser's list of roots lacks.
                + (device.space == nil ? [] : ["--ignore-certificate-errors"])
                + [app.map { "--app=\($0)" } ?? "about:blank"])
        let said = try program.errors.next("its address", within: .seconds(30)) {
            $0.contains("DevTools listening on ")
        }
        line = try BrowserLine(String(said[said.range(of: "ws://")!.lowerBound...]), on: device)
        tab = ""
        let deadline = ContinuousClock.now + .seconds(20)
        while tab.isEmpty, ContinuousClock.now < deadline {
            let first = try targets("page").first { $0["url"]?.string == app ?? "about:blank" }
            tab = first?["targetId"]?.string ?? ""
        }
    }

    private func targets(_ kind: String) throws -> [JSON] {
        (try line.ask("Target.getTargets")["targetInfos"]?.elements ?? []).filter { $0["type"]?.string == kind }
    }

    package func tabs() throws -> [String] { try targets("page").compactMap { $0["url"]?.string } }

    private func session(of target: String) throws -> String {
        let session = try line.ask(
            "Target.attachToTarget", ["targetId": .string(target), "flatten": true])["sessionId"]
        guard let session = session?.string else { throw Unmet("no session with \(target)") }
        return session
    }

    package func go(to url: String) throws {
        let session = try session(of: tab)
        try line.ask("Page.navigate", ["url": .string(url)], session: session)
        try wait("\(url) to be loaded", at: url, "document.readyState === 'complete'")
    }

    package func openTab(_ url: String) throws -> String {
        guard let new = try line.ask("Target.createTarget", ["url": .string(url)])["targetId"]?.string else {
            throw Unmet("Chromium opens no tab")
        }
        try wait("\(url) to be loaded", at: url, "document.readyState === 'complete'")
        return new
    }

    package func turn(to tab: String) throws { try line.ask("Target.activateTarget", ["targetId": .string(tab)]) }

    /// A tab in a private window, outside this profile's history.
    package func openPrivately(_ url: String) throws {
        let context = try line.ask("Target.createBrowserContext")["browserContextId"]?.string ?? ""
        try line.ask(
            "Target.createTarget", ["url": .string(url), "browserContextId": .string(context), "newWindow": true])
        try wait("\(url) to be loaded", at: url, "document.readyState === 'complete'")
    }

    package func evaluate(_ script: String, at url: String) throws -> JSON {
        guard let target = try targets("page").first(where: { $0["url"]?.string == url })?["targetId"]?.string else {
            throw Unmet("no tab shows \(url)")
        }
        let session = try session(of: target)
        defer { _ = try? line.ask("Target.detachFromTarget", ["sessionId": .string(session)]) }
        let answer = try line.ask(
            "Runtime.evaluate", ["expression": .string(script), "returnByValue": true, "awaitPromise": true],
            session: session)
        if let problem = answer["exceptionDetails"] { throw Unmet("\(script): \(problem)") }
        return answer["result"]?["value"] ?? .null
    }

    // MARK: The popup, as a separate page

    /// Waits until it shows `text`.
    package func openPopup(showing text: String) throws {
        let window: JSON = ["url": .string(Self.popup), "newWindow": true, "width": 376, "height": 300]
        try line.ask("Target.createTarget", window)
        try wait("\(text) in the popup", at: Self.popup, "document.body.innerText") {
            $0.string?.contains(text) == true
        }
    }

    /// Opens it over the tab in front, as a click on the button does, and waits until it shows `text`.
    package func openPopupOverTab(showing text: String) throws {
        guard let worker = try targets("service_worker").first?["targetId"]?.string else {
            throw Unmet("the extension does not run")
        }
        let open: JSON = [
            "expression": "chrome.action.openPopup()", "awaitPromise": true, "userGesture": true,
        ]
        try line.ask("Runtime.evaluate", open, session: try session(of: worker))
        try waitInPopup("\(text) in the popup", "document.body.innerText") { $0.string?.contains(text) == true }
    }

    /// Presses the button with this text in the popup, once there is one.
    package func pressInPopup(_ text: String) throws {
        let button = """
            (button => { button?.click(); return Boolean(button) })([...document.querySelectorAll('button:enabled')]
                .find(button => button.checkVisibility() && button.textContent.includes('\(text)')))
            """
        try waitInPopup("\(text) to be pressed", button) { $0 == .bool(true) }
    }

    package func waitInPopup(_ what: String, _ script: String, until isSo: (JSON) -> Bool) throws {
        try wait(what, at: Self.popup, script, until: isSo)
    }

    package func popup(_ script: String) throws -> JSON { try evaluate(script, at: Self.popup) }

    /// Presses a key in the popup.
    package func pressInPopup(_ key: String, code: Int) throws {
        guard let target = try targets("page").first(where: { $0["url"]?.string == Self.popup })?["targetId"]?.string
        else { throw Unmet("there is no popup") }
        let session = try session(of: target)
        for kind in ["keyDown", "keyUp"] {
            var event: [String: JSON] = [
                "type": .string(kind), "key": .string(key), "code": .string(key),
                "windowsVirtualKeyCode": .number(Double(code)),
            ]
            if key == "Enter", kind == "keyDown" { event["text"] = "\r" }
            // The popup closes after its action, so that the last reply may be missing.
            _ = try? line.ask("Input.dispatchKeyEvent", .object(event), session: session)
        }
    }

    /// Moves the pointer to the middle of the first match, or out of the popup.
    package func pointInPopup(at selector: String?) throws {
        var place: [String: JSON] = ["type": "mouseMoved", "x": .number(-1), "y": .number(-1)]
        if let selector {
            for (side, length) in [("x", "width"), ("y", "height")] {
                let middle = "(box => box.\(side) + box.\(length) / 2)"
                place[side] = try popup("\(middle)(document.querySelector('\(selector)').getBoundingClientRect())")
            }
        }
        guard let target = try targets("page").first(where: { $0["url"]?.string == Self.popup })?["targetId"]?.string
        else { throw Unmet("there is no popup") }
        _ = try line.ask("Input.dispatchMouseEvent", .object(place), session: try session(of: target))
    }

    /// Of the popup, in a tab behind the one in front, once it shows `text`: the size of a real popup is not ours. PNG.
    package func takePictureOfPopup(showing text: String, to file: URL, dark: Bool) throws {
        try line.ask("Target.createTarget", ["url": .string(Self.popup), "background": true])
        try waitInPopup("\(text) in the popup", "document.body.innerText") { $0.string?.contains(text) == true }
        guard let target = try targets("page").first(where: { $0["url"]?.string == Self.popup })?["targetId"]?.string
        else { throw Unmet("there is no popup") }
        let session = try session(of: target)
        let scheme: JSON = [["name": "prefers-color-scheme", "value": dark ? "dark" : "light"]]
        try line.ask("Emulation.setEmulatedMedia", ["features": scheme], session: session)
        let height = try popup("document.body.scrollHeight").number ?? 300
        let size: JSON = ["width": 360, "height": .number(height), "deviceScaleFactor": 2, "mobile": false]
        try line.ask("Emulation.setDeviceMetricsOverride", size, session: session)
        let picture = try line.ask("Page.captureScreenshot", [:], session: session)
        guard let data = Data(base64Encoded: picture["data"]?.string ?? "") else { throw Unmet("no picture") }
        try data.write(to: file)
    }

    /// The role and name of every element, as screen readers receive them.
    package func accessiblePopup() throws -> [String] {
        guard let target = try targets("page").first(where: { $0["url"]?.string == Self.popup })?["targetId"]?.string
        else { throw Unmet("there is no popup") }
        let session = try session(of: target)
        let nodes = try line.ask("Accessibility.getFullAXTree", session: session)["nodes"]?.elements ?? []
        return nodes.filter { $0["ignored"] != .bool(true) }.map {
            "\($0["role"]?["value"]?.string ?? ""): \($0["name"]?["value"]?.string ?? "")"
        }
    }
}

extension Device {
    func start(browser command: [String]) throws -> RunningProgram {
        try stage.start(prefix + command, environment: environment, name: "\(command[0]) on \(name)")
    }
}
