// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension Device {
    /// Forgets the addresses of other devices. Only while the daemon does not run.
    package func forgetAddresses() {
        try? FileManager.default.removeItem(at: root.appending(path: "state/addresses"))
    }

    /// Sets a default browser in the desktop's settings: a program that only writes each address into the returned
    /// file, one per line.
    package func setDefaultBrowser() throws -> URL {
        let (settings, data) = (root.appending(path: "home/.config"), root.appending(path: "home/.local/share"))
        let (opened, browser) = (root.appending(path: "opened"), root.appending(path: "browser"))
        let entries = data.appending(path: "applications")
        for folder in [settings, entries] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        try Data("#!/bin/sh\necho \"$1\" >> '\(opened.path)'\n".utf8).write(to: browser)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: browser.path)
        let schemes = ["x-scheme-handler/http", "x-scheme-handler/https"]
        let entry = """
            [Desktop Entry]
            Type=Application
            Name=Pages
            Exec=\(browser.path) %u
            MimeType=\(schemes.joined(separator: ";"));

            """
        try Data(entry.utf8).write(to: entries.appending(path: "pages.desktop"))
        let defaults = "[Default Applications]\n" + schemes.map { "\($0)=pages.desktop\n" }.joined()
        try Data(defaults.utf8).write(to: settings.appending(path: "mimeapps.list"))
        environment["XDG_CONFIG_HOME"] = settings.path
        environment["XDG_DATA_HOME"] = data.path
        return opened
    }
}
