// SPDX-License-Identifier: Apache-2.0

internal import Glibc

func environment(_ variable: String) -> String? { getenv(variable).map { String(cString: $0) } }
