// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffGTK

/// A program whose application and windows come from elsewhere, as with a GTK or libadwaita binding, and that runs its
/// own loop. It prints its events for the test.
@main
final class Bound: NSObject, HandoffApplicationDelegate {
    private var pages: [PageController] = []
    /// The document in the file of the program's argument.
    private lazy var diary = Diary(fileURL: URL(filePath: CommandLine.arguments.last ?? ""))

    static func main() {
        guard GTKApplication.hasDisplay else { return say("no display") }
        let made = gtk_application_new("com.example.bound", G_APPLICATION_NON_UNIQUE)
        let app = GTKApplication.shared
        say("taken \(app.application == made)")
        app.appearance = .adwaita
        app.connect(with: Bound())
        _ = g_application_run(app.application.cast(to: GApplication.self), 0, nil)
        say("ended")
        UIApplication.shared.terminate()
    }

    static func say(_ line: String) { try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8)) }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        application.currentActivityRule = .visibleViewControllers
        let stack: GTKWidget = gtk_stack_new()
        let root = GTKViewController(stack)
        pages = ["first", "second"].map(PageController.init)
        for page in pages {
            root.addChild(page)
            gtk_stack_add_named(stack.opaque, page.widget, page.name)
        }
        let window = SpeakingWindow(newWindow(holding: stack))
        window.title = "Bound"
        window.rootViewController = root
        gtk_window_set_default_size(window.window, 400, 300)
        window.addAction("second", keys: ["<Control>2"]) { gtk_stack_set_visible_child_name(stack.opaque, "second") }
        window.addAction("say", keys: ["<Control>m"]) { [weak window] in window?.showMessage("Something to read") }
        window.addAction("close", keys: ["<Control>w"]) { [weak window] in window?.close() }
        diary.addWindowController(NSWindowController(window: window))
        diary.save(to: diary.fileURL, for: .forCreating) { [diary] _ in
            diary.entry = "Tuesday: rain, letters.\n"
            diary.updateChangeCount(.done)
        }
        window.orderFront(nil)
        Task { Self.say("a task ran") }
        return true
    }

    /// A libadwaita window if the library is installed; its content must not be set as that of other windows.
    private func newWindow(holding content: GTKWidget) -> UnsafeMutablePointer<GtkWindow> {
        let application = GTKApplication.shared.application
        let library = dlopen("libadwaita-1.so.0", RTLD_NOW)
        guard let make = dlsym(library, "adw_application_window_new"),
            let set = dlsym(library, "adw_application_window_set_content")
        else {
            Self.say("a window of GTK")
            let window: GTKWidget = gtk_application_window_new(application)
            gtk_window_set_child(window.cast(to: GtkWindow.self), content)
            return window.cast(to: GtkWindow.self)
        }
        Self.say("a window of libadwaita")
        typealias Make = @convention(c) (UnsafeMutablePointer<GtkApplication>) -> UnsafeMutableRawPointer
        typealias Set = @convention(c) (UnsafeMutableRawPointer, GTKWidget) -> Void
        let window = unsafeBitCast(make, to: Make.self)(application)
        unsafeBitCast(set, to: Set.self)(window, content)
        return window.assumingMemoryBound(to: GtkWindow.self)
    }
}

/// A document that is saved in the background.
final class Diary: UIDocument {
    var entry = "Monday: sun.\n"

    override func contents(forType typeName: String) throws -> Any { Data(entry.utf8) }
}

/// Prints its events.
final class SpeakingWindow: GTKWindow {
    override func becameMain() {
        super.becameMain()
        Bound.say("became main, active \(UIApplication.shared.isActive)")
    }

    override func resignedMain() {
        super.resignedMain()
        Bound.say("resigned main")
    }

    override func closed() {
        super.closed()
        Bound.say("closed, open \(isOpen)")
    }
}

/// A page of a stack, visible or not, with its activity.
final class PageController: GTKViewController {
    let name: String

    init(_ name: String) {
        self.name = name
        super.init()
    }

    override func loadView() { widget = gtk_label_new("the \(name) page") }

    override func viewDidLoad() {
        super.viewDidLoad()
        userActivity = NSUserActivity(activityType: "com.example.bound.\(name)")
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        Bound.say("appeared \(name)")
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        Bound.say("disappeared \(name)")
    }
}
