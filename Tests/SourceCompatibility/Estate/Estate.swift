// SPDX-License-Identifier: Apache-2.0

// A module of an app, with plain names like those of our modules.

public struct Application {
    public var documents: [Document] = []

    public init() {}
}

public struct Document {
    public var title: String

    public init(title: String) { self.title = title }
}

public enum View {
    case garden, street
}

public struct Window {
    public var view: View

    public init(view: View) { self.view = view }
}

public struct Scene {
    public var windows: [Window]

    public init(windows: [Window]) { self.windows = windows }
}

public protocol Responder {
    func answer(_ application: Application) -> Answer
}

public enum Answer {
    case accepted, refused
}

public enum Toolkit {
    case hammer, brush
}

public struct ViewController {
    public var key: Int

    public init(key: Int) { self.key = key }
}
