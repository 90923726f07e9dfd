// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

/// The extension's background script, in Node.js with a fake browser.
@Suite(.timeLimit(.minutes(1)), .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/node")))
struct ExtensionPortTests {
    private static let extensionFolder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Extension").path

    /// Connects as `sender`, says `message`, and prints the messages that the port and the native messaging host received.
    private static let script = """
        const listeners = [];
        const told = [];
        const anything = () => new Proxy(function () {}, {
          get: (_, name) => (name === "then" ? undefined : anything()),
          apply: () => Promise.resolve({}),
        });
        const event = { addListener() {} };
        const fromHost = [];
        const onMessage = { addListener: (listener) => fromHost.push(listener) };
        const native = { postMessage: (m) => told.push(m), onMessage, onDisconnect: event, disconnect() {} };
        const runtime = {
          id: "own", getURL: (path) => `chrome-extension://own/${path}`, connectNative: () => native,
          onConnect: { addListener: (listener) => listeners.push(listener) },
        };
        const over = (known) => new Proxy(known, { get: (t, name) => (name in t ? t[name] : anything()) });
        const [, , sender, message, tab, heard] = process.argv;
        globalThis.chrome = over({
          runtime: over(runtime), tabs: over({ get: async () => JSON.parse(tab) }),
          scripting: { executeScript: async () => [{ frameId: 0, result: { scroll: 0.25, films: [{ seconds: 61 }] } }] },
        });
        globalThis.browser = globalThis.chrome;
        await import("./background.js");
        let handler = null;
        const given = [];
        const port = {
          name: "popup", sender: JSON.parse(sender), postMessage: (m) => given.push(m),
          onDisconnect: event, onMessage: { addListener: (h) => (handler = h) }, disconnect: () => given.push({ type: "closed" }),
        };
        told.length = 0;
        for (const message of JSON.parse(heard)) for (const listener of fromHost) listener(message);
        for (const listener of listeners) listener(port);
        handler?.(JSON.parse(message));
        await new Promise(setImmediate);
        const types = (messages) => messages.map((m) => m.type).join(" ");
        const problem = given.at(-1).problem?.code ?? "";
        console.log(`${types(given)}|${types(told)}|${problem}|${JSON.stringify(told.at(-1) ?? {})}`);
        process.exit(0);
        """

    private static let popup = #"{"id":"own","url":"chrome-extension://own/popup.html"}"#

    private func connect(
        as sender: String = popup, saying message: String = #"{"type":"goOn","request":1}"#, of tab: String = "null",
        hearing heard: String = "[]"
    ) async throws -> [Substring] {
        let folder = "/tmp/handoff-extension-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.copyItem(atPath: Self.extensionFolder, toPath: folder)
        try #"{"type":"module"}"#.write(toFile: folder + "/package.json", atomically: true, encoding: .utf8)
        try Self.script.write(toFile: folder + "/test.js", atomically: true, encoding: .utf8)
        let program = try Program(
            ["/usr/bin/node", folder + "/test.js", sender, message, tab, heard], environment: ["PATH": "/usr/bin:/bin"])
        #expect(await program.end() == 0, "\(program.errors)")
        return program.output.trimmingCharacters(in: .newlines).split(separator: "|", omittingEmptySubsequences: false)
    }

    @Test(arguments: ["", #","tab":{"id":1,"url":"chrome-extension://own/popup.html"}"#])
    func thePopupSeesOffersAndContinuesThem(_ tab: String) async throws {
        let seen = try await connect(as: #"{"id":"own","url":"chrome-extension://own/popup.html"\#(tab)}"#)
        #expect(seen.prefix(2) == ["state", "look goOn"])
    }

    /// Icons come first, so that the list has them from the beginning.
    // Shows L17.
    @Test func popupGetsTheIconsOfApps() async throws {
        let icon = #"{"type":"icon","app":"com.example.notes","data":"data:image/png;base64,AAAA"}"#
        let seen = try await connect(hearing: "[\(icon),\(icon)]")
        #expect(seen[0] == "icon state")
    }

    // Shows L17.
    @Test(arguments: ["https://example.org/1.png", "data:text/html;base64,AAAA", "data:image/svg+xml,<svg/>", ""])
    func popupGetsNoOtherAddressAsAnIcon(_ data: String) async throws {
        let icon = #"{"type":"icon","app":"com.example.notes","data":"\#(data)"}"#
        #expect(try await connect(hearing: "[\(icon)]")[0] == "state")
    }

    private static let tab = #"""
        {"id":7,"active":true,"incognito":false,"url":"https://bank.example/","title":"Bank"}
        """#

    /// A click sends a page that is not offered. The background script, not the popup, says what its address is.
    @Test func popupSendsThePageOfATab() async throws {
        let seen = try await connect(
            saying: #"{"type":"send","request":2,"device":"ABC","tab":7,"url":"https://other.example/"}"#, of: Self.tab)
        #expect(seen[1] == "look send")
        let sent = try JSONSerialization.jsonObject(with: Data(seen[3].utf8)) as? [String: Any]
        #expect(sent?["url"] as? String == "https://bank.example/")
        #expect(sent?["title"] as? String == "Bank")
        #expect(sent?["device"] as? String == "ABC")
        #expect(sent?["scroll"] as? Double == 0.25)
        #expect(sent?["seconds"] as? Double == 61)
        #expect(sent?["tab"] == nil)
    }

    @Test(arguments: [
        tab.replacing("https://bank.example/", with: "file:///etc/passwd"),
        tab.replacing("https://", with: "https://user:secret@"),
        tab.replacing(#""incognito":false"#, with: #""incognito":true"#), "null",
    ])
    func otherPagesAreNotSent(of tab: String) async throws {
        let seen = try await connect(saying: #"{"type":"send","request":2,"device":"ABC","tab":7}"#, of: tab)
        #expect(seen.prefix(3) == ["state answer", "look", "notAllowed"])
    }

    @Test(arguments: ["hello", "page", "left", "place", "opened"])
    func popupCannotSpeakForTheBackgroundScript(_ type: String) async throws {
        let seen = try await connect(saying: #"{"type":"\#(type)","request":2,"url":"https://a.example/"}"#)
        #expect(seen.prefix(2) == ["state", "look"])
    }

    /// Possible claims of a compromised renderer in Chromium. The browser itself reports the tab.
    @Test(arguments: [
        #"{"id":"own","url":"https://example.org/"}"#,
        #"{"id":"own","url":"https://example.org/","tab":{"id":1}}"#,
        #"{"id":"own"}"#,
        #"{"id":"own","url":"chrome-extension://own/popup.html","tab":{"id":1}}"#,
        #"{"id":"own","url":"chrome-extension://own/popup.html","tab":{"id":1,"url":"https://example.org/"}}"#,
        #"{"id":"own","url":"chrome-extension://own/options.html"}"#,
        #"{"id":"other","url":"chrome-extension://own/popup.html"}"#,
    ])
    func noOtherPortOfTheExtensionSeesOffers(_ sender: String) async throws {
        #expect(try await connect(as: sender).prefix(2) == ["closed", ""])
    }
}
