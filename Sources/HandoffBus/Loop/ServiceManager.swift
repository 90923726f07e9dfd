// SPDX-License-Identifier: Apache-2.0

internal import CSystemd

/// systemd, if it started this program; otherwise this has no effect.
package enum ServiceManager {
    package static func ready() { sd_notify(0, "READY=1") }
}
