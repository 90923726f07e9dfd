// SPDX-License-Identifier: Apache-2.0

import CWebKitGTK
import MonkeyBrowserTerminal

/// The browser with windows; where there is no display, the one for the terminal.
@main @MainActor enum MonkeyBrowserWindow {
    static func main() {
        guard gtk_init_check() != 0 else { return TerminalBrowser.run() }
        WindowBrowser.run()
    }
}
