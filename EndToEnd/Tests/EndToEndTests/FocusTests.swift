// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// The window with the focus is the one that is offered, with real window managers.
@Suite(.serialized, .needsNamespaces) struct FocusTests {
    // Shows M01, M03.
    @Test(arguments: WindowManager.allCases.filter(\.isInstalled))
    func documentWhoseWindowHasTheFocusIsOffered(by manager: WindowManager) throws {
        try Stage.play { stage in
            let pair = try HomePair.begin(on: stage) { device in
                for name in ["one", "two"] { try device.write(SampleBook.pages(3), to: "\(name).pdf") }
            }
            let (laptop, desktop) = (pair.laptop, pair.desktop)
            try manager.start(on: laptop)
            try laptop.handoff("programs", "on", "org.pwmt.zathura")
            let watch = try desktop.watchActivities()
            for name in ["one", "two"] {
                _ = try laptop.start(program: ["zathura", laptop.home.path + "/\(name).pdf"], name: name)
                try watch.output.next("the document \(name)", within: .seconds(20)) { $0.contains("\(name).pdf") }
            }
            for name in ["one", "two", "one"] {
                try manager.focus("\(name).pdf", on: laptop)
                try watch.output.next("the document \(name) in front", within: .seconds(20)) {
                    $0.contains("\(name).pdf")
                }
            }
        }
    }

    // Shows M01.
    @Test(.enabled(if: WindowManager.openbox.isInstalled && HomePair.isInstalled("okular")))
    func programWhoseWindowHasTheFocusIsFirst() throws {
        try Stage.play { stage in
            let pair = try HomePair.begin(on: stage) { device in
                for program in ["zathura", "okular"] { try device.write(SampleBook.pages(3), to: "\(program).pdf") }
            }
            let (laptop, desktop) = (pair.laptop, pair.desktop)
            try WindowManager.openbox.start(on: laptop)
            for program in ["org.pwmt.zathura", "org.kde.okular"] { try laptop.handoff("programs", "on", program) }
            let watch = try desktop.watchActivities()
            for program in ["zathura", "okular"] {
                let file = laptop.home.path + "/\(program).pdf"
                _ = try laptop.start(program: [program, file], name: program)
                try watch.output.next("the document in \(program)", within: .seconds(20)) {
                    $0.contains("\(program).pdf")
                }
            }
            for program in ["zathura", "okular", "zathura"] {
                try WindowManager.openbox.focus("\(program).pdf", on: laptop)
                try watch.output.next("\(program) first", within: .seconds(20)) { line in
                    let first = try? JSON(text: line).elements.first?["title"]?.string
                    return first == "\(program).pdf"
                }
            }
        }
    }
}
