// SPDX-License-Identifier: Apache-2.0

// The three programs of a user in one file: what they share, most of it, is on disk and in memory once. Which of them it
// is says the name by which it is started. docs/decisions/0026.

import HandoffBrowserHost
import HandoffCommand
import HandoffDaemonProgram

switch CommandLine.arguments.first?.split(separator: "/").last {
case "handoffd": Handoffd.main()
case "handoff-browser-host": BrowserHostProgram.main()
default: CommandLineProgram.main()
}
