// SPDX-License-Identifier: Apache-2.0

// One executable for most of the ported apps, so that they are linked once. Its name selects the app.

import Foundation
import HandoffApp

@MainActor func runUIKit(_ delegate: AnyClass) {
    UIApplicationMain(CommandLine.argc, CommandLine.unsafeArgv, nil, NSStringFromClass(delegate))
}

@MainActor func runAppKit(_ delegate: NSApplicationDelegate) {
    NSApplication.shared.delegate = delegate
    withExtendedLifetime(delegate) { NSApplication.shared.run() }
}

// Top-level code is on the main actor only in Swift 6.
MainActor.assumeIsolated {
    User.starts()
    switch URL(fileURLWithPath: CommandLine.arguments[0]).lastPathComponent {
    case "Reader": runUIKit(ReaderAppDelegate.self)
    case "Notes": runAppKit(NotesAppDelegate())
    case "Gallery": runUIKit(GalleryAppDelegate.self)
    case "Mail": runUIKit(MailAppDelegate.self)
    case "Sketch": runUIKit(SketchAppDelegate.self)
    case "MonkeyBrowser": runUIKit(BrowserAppDelegate.self)
    case "StreamServer": runUIKit(StreamClientAppDelegate.self)
    case "Exchange": runUIKit(ExchangeAppDelegate.self)
    case "Cookbook": runUIKit(CookbookAppDelegate.self)
    case "Almanac": runUIKit(AlmanacAppDelegate.self)
    case "Journal": runUIKit(JournalAppDelegate.self)
    case "Paperwork": runUIKit(PaperworkAppDelegate.self)
    case "Atlas": runUIKit(AtlasAppDelegate.self)
    case "Planner": runUIKit(PlannerAppDelegate.self)
    case "Essay": runAppKit(EssayAppDelegate())
    case "Runs": RunsAppDelegate.main()
    case "Recipes":
        let app = RecipesApp()
        withExtendedLifetime(app) { UIApplication.shared.run() }
    case "Magazine": runAppKit(MagazineAppDelegate())
    case let name:
        report("there is no app \(name)")
        exit(EXIT_FAILURE)
    }
}
