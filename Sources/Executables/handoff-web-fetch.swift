// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffWebFetch

exit(WebFetchProgram.run().rawValue)
