// SPDX-License-Identifier: Apache-2.0

import MonkeyBrowserTerminal

/// The browser for the terminal, which cannot show pages.
@main @MainActor enum MonkeyBrowser {
    static func main() { TerminalBrowser.run() }
}
