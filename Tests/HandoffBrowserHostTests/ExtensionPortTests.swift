// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

/// The extension's background script, in Node.js with a fake browser.
@Suite(.timeLimit(.minutes(1)), .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/node")))
struct ExtensionPortTests {
    private static let extensionFolder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Extension").path

    /// Connects as `sender`, and prints the messages that the port and the native messaging host received.
    private static let script = """
        const listeners = [];
        const told = [];
        const anything = () => new Proxy(function () {}, {
          get: (_, name) => (name === "then" ? undefined : anything()),
          apply: () => Promise.resolve({}),
        });
        const event = { addListener() {} };
        const native = { postMessage: (m) => told.push(m.type), onMessage: event, onDisconnect: event, disconnect() {} };
        const runtime = {
          id: "own", getURL: (path) => `chrome-extension://own/${path}`, connectNative: () => native,
          onConnect: { addListener: (listener) => listeners.push(listener) },
        };
        const over = (known) => new Proxy(known, { get: (t, name) => (name in t ? t[name] : anything()) });
        globalThis.chrome = over({ runtime: over(runtime) });
        globalThis.browser = globalThis.chrome;
        await import("./background.js");
        let handler = null;
        const given = [];
        const port = {
          name: "popup", sender: JSON.parse(process.argv[2]), postMessage: (m) => given.push(m.type),
          onDisconnect: event, onMessage: { addListener: (h) => (handler = h) }, disconnect: () => given.push("closed"),
        };
        told.length = 0;
        for (const listener of listeners) listener(port);
        handler?.({ type: "goOn", request: 1 });
        console.log(given.join(" ") + "|" + told.join(" "));
        process.exit(0);
        """

    private func connect(as sender: String) async throws -> String {
        let folder = "/tmp/handoff-extension-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.copyItem(atPath: Self.extensionFolder, toPath: folder)
        try #"{"type":"module"}"#.write(toFile: folder + "/package.json", atomically: true, encoding: .utf8)
        try Self.script.write(toFile: folder + "/test.js", atomically: true, encoding: .utf8)
        let program = try Program(
            ["/usr/bin/node", folder + "/test.js", sender], environment: ["PATH": "/usr/bin:/bin"])
        #expect(await program.end() == 0, "\(program.errors)")
        return program.output.trimmingCharacters(in: .newlines)
    }

    @Test(arguments: ["", #","tab":{"id":1,"url":"chrome-extension://own/popup.html"}"#])
    func thePopupSeesOffersAndContinuesThem(_ tab: String) async throws {
        let seen = try await connect(as: #"{"id":"own","url":"chrome-extension://own/popup.html"\#(tab)}"#)
        #expect(seen == "state|look goOn")
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
        #expect(try await connect(as: sender) == "closed|")
    }
}
