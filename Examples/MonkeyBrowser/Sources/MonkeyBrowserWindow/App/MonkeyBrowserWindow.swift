// SPDX-License-Identifier: Apache-2.0

import HandoffGTK
import MonkeyBrowserTerminal

/// The browser with windows; without a display, the browser for the terminal.
@main @MainActor enum MonkeyBrowserWindow {
    static func main() {
        guard GTKApplication.hasDisplay else { return TerminalBrowser.run() }
        GTKApplication.shared.run(with: WindowBrowser())
    }
}
