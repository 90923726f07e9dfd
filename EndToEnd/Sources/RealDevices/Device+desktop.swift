// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension Device {
    /// Forgets where other devices were reached. For while the daemon does not run.
    package func forgetAddresses() {
        try? FileManager.default.removeItem(at: root.appending(path: "state/addresses"))
    }

    /// Its user sets a browser for the desktop, as its settings write it down: a program that only notes what it is to open,
    /// line by line in the file that is returned.
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
