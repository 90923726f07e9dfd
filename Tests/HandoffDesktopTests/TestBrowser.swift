// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms

final class TestBrowser {
    let path: String
    private let watch: Program

    init(in folder: String) throws {
        let programs = folder + "/programs"
        let opened = folder + "/opened"
        try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
        try Program.write("#!/bin/sh\necho \"$2\" >>'\(opened)'\n", to: programs + "/gio")
        try Data().write(to: URL(filePath: opened))
        path = programs + ":/usr/bin:/bin"
        watch = try Program(["/usr/bin/tail", "-n", "+1", "-f", opened], environment: ["PATH": "/usr/bin:/bin"])
    }

    deinit { watch.send(SIGKILL) }

    func opens(_ page: String, within bound: Duration = .seconds(30)) async -> Bool {
        await watch.wait(bound) { $0.output.contains(page) }
    }
}
