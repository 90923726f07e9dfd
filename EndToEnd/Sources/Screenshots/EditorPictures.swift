// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices

/// The text editor with an unfinished letter, and its continuation on another device.
enum EditorPictures {
    private static let letter = """
        Dear Anna,

        the boat is in the water since Sunday. It floats, which nobody but you had promised. \
        We have named it after the cat, who has not been told.

        Come in July. The harbour has a café now, with tables so close to the edge that every second spoon is lost, \
        and from there one sees the whole bay. Bring something warm for the evenings, and the good binoculars.

        There is a room for you with a window to the east, and
        """
    /// Next to the words of the progress message while it is shown, otherwise in the empty space below the text.
    private static let spot = (x: 380, y: 535)
    private static let (paper, shaded) = ("#FFFFFF", "#333333")
    /// The initial size of its window.
    private static let size = (width: 760, height: 560)

    static func take(on stage: Stage, to folder: URL) throws {
        let network = try Network(on: stage)
        let laptop = try Device("laptop", on: stage, network: network)
        let desktop = try Device("desktop", on: stage, network: network)
        let screens = (laptop: try laptop.startDesktop(), desktop: try desktop.startDesktop())
        for device in [laptop, desktop] { try device.startDaemon() }
        try laptop.found(with: [desktop])
        for device in [laptop, desktop] { try device.install(.textEditor) }

        let file = stage.folder.appending(path: "Letter to Anna.txt")
        try Data(letter.utf8).write(to: file)
        let watch = try desktop.watchActivities()
        let editor = try laptop.open(.textEditor, file.path)
        try screens.laptop.turn(to: "Letter")
        try screens.laptop.press("ctrl+End")
        try screens.laptop.type(" a table to write at.")
        try screens.laptop.press("ctrl+shift+Left", "ctrl+shift+Left", "ctrl+shift+Left", "ctrl+shift+Left")
        try watch.output.next("the letter in the list") { $0.contains("Letter to Anna") }
        try screens.laptop.wait(for: paper, at: spot)
        try Screenshots.save(screens.laptop, "texteditor-laptop", size: size, in: folder)

        // The transfer stays in progress while the laptop's app does not answer.
        editor.send(SIGSTOP)
        let command = try desktop.start("activity", "continue")
        try screens.desktop.awaitWindow("^Untitled")
        try screens.desktop.wait(for: shaded, at: spot)
        try Screenshots.save(screens.desktop, "texteditor-continuing", size: size, in: folder)
        editor.send(SIGCONT)
        try command.waitForExit(within: Screenshots.patience)
        try screens.desktop.turn(to: "Letter")
        try screens.desktop.wait(for: paper, at: spot)
        try Screenshots.save(screens.desktop, "texteditor-desktop", size: size, in: folder)
    }
}
