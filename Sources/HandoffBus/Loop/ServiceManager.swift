// SPDX-License-Identifier: Apache-2.0

internal import CSystemd

/// systemd, where it started this program; else nothing happens.
package enum ServiceManager {
    package static func ready() { sd_notify(0, "READY=1") }
}
