// SPDX-License-Identifier: Apache-2.0

import MonkeyBrowserTerminal

/// The browser where there is no display, and nothing to show a page with.
@main @MainActor enum MonkeyBrowser {
    static func main() { TerminalBrowser.run() }
}
