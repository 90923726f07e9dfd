// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffHistory

exit(HistoryProgram.run(Array(CommandLine.arguments.dropFirst())))
