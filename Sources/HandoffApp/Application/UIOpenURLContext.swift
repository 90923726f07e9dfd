// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import Handoff

/// A URL that the app is asked to open.
@preconcurrency @MainActor
public final class UIOpenURLContext: NSObject {
    public let url: URL
    public let options: UIScene.OpenURLOptions

    init(_ url: URL) {
        self.url = url
        options = UIScene.OpenURLOptions()
        super.init()
    }
}

extension UIScene {
    /// What is known of who asks: a desktop does not say.
    @preconcurrency @MainActor
    public final class OpenURLOptions: NSObject {
        /// Nil.
        public var sourceApplication: String? { nil }
        /// Nil.
        public var annotation: Any? { nil }
        /// Whether a file is to be edited where it lies: always.
        public var openInPlace: Bool { true }
    }
}

extension UIApplication {
    /// A key of what is known of a URL that the app is asked to open. None of them is ever there: a desktop does not say.
    public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let sourceApplication = Self(rawValue: "UIApplicationOpenURLOptionsSourceApplicationKey")
        public static let annotation = Self(rawValue: "UIApplicationOpenURLOptionsAnnotationKey")
        public static let openInPlace = Self(rawValue: "UIApplicationOpenURLOptionsOpenInPlaceKey")
    }

    /// Gives them to the app: each to the views that declare `onOpenURL`, else to the scene in front, else to the delegate.
    /// For whoever connects a toolkit, whose `open` signal this is; the URLs that the app is started with it has in its
    /// launch options.
    public func openIncoming(_ urls: [URL]) {
        whenLaunched { delegate in
            let urls = urls.filter { !self.viewEvents.open($0) }
            guard !urls.isEmpty else { return }
            if let scene = self.scenes.inFront, let sceneDelegate = scene.delegate {
                sceneDelegate.scene(scene, openURLContexts: Set(urls.map { UIOpenURLContext($0) }))
            } else {
                delegate.application(self, open: urls)
            }
        }
    }

    /// What a delegate without a hook does: a file of a kind that the app declares is opened as a document.
    func openAsDocument(_ url: URL) {
        if let documentOpener { return documentOpener(url) }
        if url.isFileURL, documentController.openKnown(url) { return }
        environment.log("nothing in this app opens a URL of the scheme \(url.scheme ?? "")")
    }
}
