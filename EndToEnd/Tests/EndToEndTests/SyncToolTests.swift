// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Documents in a container that Syncthing synchronizes. Handoff changes only the documents that are handed over. Shows
/// B17.
@Suite(.serialized, .needsNamespaces, .enabled(if: Syncthing.missing == nil, "\(Syncthing.missing ?? "")"))
struct SyncToolTests {
    // Shows B17: in either order there is one file with the origin's bytes, and no conflict copy with the same
    // bytes.
    @Test func bothTheSyncToolAndAHandOverBringTheSame() throws {
        try Stage.play { stage in
            let papers = try Papers(on: stage)
            let syncthing = try Syncthing(
                [(papers.pair.laptop, papers.laptopFolder), (papers.pair.desktop, papers.desktopFolder)],
                network: papers.pair.network, on: stage)
            try papers.write("Dear Anna", to: papers.onLaptop("letter.txt"))
            try syncthing.start()
            try syncthing.settle()
            #expect(papers.text(papers.onDesktop("letter.txt")) == "Dear Anna")

            // Its bytes are there already.
            try papers.open("letter.txt")
            #expect(try papers.goOn()["fate"]?.string == "same")
            // Saved and handed over at once, while Syncthing works too.
            func goOn(with text: String) throws {
                try papers.here.say("type \(text)")
                let fate = try papers.goOn()["fate"]?.string
                #expect(fate == "replaced" || fate == "same", "\(fate ?? "none")")
                #expect(papers.text(papers.onDesktop("letter.txt")) == text)
            }
            for text in ["Dear Anna, II", "Dear Anna, III"] {
                try goOn(with: text)
                try syncthing.settle()
                for folder in [papers.laptopFolder, papers.desktopFolder] {
                    let names = try papers.names(folder)
                    #expect(names == ["letter.txt"])
                    #expect(papers.text(folder.appending(path: "Documents/letter.txt")) == text)
                }
            }

            // Again before Syncthing noticed the last change: it may see two changes, and keep both.
            try goOn(with: "Dear Anna, IV")
            try goOn(with: "Dear Anna, V")
            try syncthing.settle()
            let names = try papers.names(papers.laptopFolder)
            let there = try papers.names(papers.desktopFolder)
            #expect(there == names)
            #expect(names.count <= 2 && names.contains("letter.txt"), "\(names)")
            for folder in [papers.laptopFolder, papers.desktopFolder] {
                #expect(papers.text(folder.appending(path: "Documents/letter.txt")) == "Dear Anna, V")
            }
        }
    }

    // Shows B17: both were changed while Syncthing was stopped. There is one copy, which Syncthing distributes.
    @Test func conflictLeavesOneCopyOnBothDevices() throws {
        try Stage.play { stage in
            let papers = try Papers(on: stage)
            let syncthing = try Syncthing(
                [(papers.pair.laptop, papers.laptopFolder), (papers.pair.desktop, papers.desktopFolder)],
                network: papers.pair.network, on: stage)
            for name in ["letter.txt", "list.txt"] { try papers.write("first", to: papers.onLaptop(name)) }
            try syncthing.start()
            try syncthing.settle()
            syncthing.stop()

            try papers.write("of the laptop", to: papers.onLaptop("letter.txt"))
            try papers.write("of the desktop", to: papers.onDesktop("letter.txt"))
            // Both were changed to the same content.
            for file in [papers.onLaptop("list.txt"), papers.onDesktop("list.txt")] {
                try papers.write("second", to: file)
            }
            try papers.open("list.txt")
            #expect(try papers.goOn()["fate"]?.string == "same")
            try papers.open("letter.txt")
            #expect(try papers.goOn()["fate"]?.string == "conflict")

            try syncthing.start()
            try syncthing.settle()
            for folder in [papers.laptopFolder, papers.desktopFolder] {
                let names = try papers.names(folder)
                #expect(names.count == 3 && names[0].hasPrefix("letter (desktop, "), "\(names)")
                let texts = names.map { papers.text(folder.appending(path: "Documents/\($0)")) }
                #expect(texts == ["of the desktop", "of the laptop", "second"])
            }
        }
    }
}
