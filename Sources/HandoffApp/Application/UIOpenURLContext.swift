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
    /// Information about the sender of a URL. A desktop provides none.
    @preconcurrency @MainActor
    public final class OpenURLOptions: NSObject {
        /// Always nil.
        public var sourceApplication: String? { nil }
        /// Always nil.
        public var annotation: Any? { nil }
        /// Always true: a file is edited in place.
        public var openInPlace: Bool { true }
    }
}

extension UIApplication {
    /// A key for information about a URL that the app opens. No key is ever present, because a desktop provides no
    /// information.
    public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let sourceApplication = Self(rawValue: "UIApplicationOpenURLOptionsSourceApplicationKey")
        public static let annotation = Self(rawValue: "UIApplicationOpenURLOptionsAnnotationKey")
        public static let openInPlace = Self(rawValue: "UIApplicationOpenURLOptionsOpenInPlaceKey")
    }

    /// For toolkit authors: opens the URLs of the toolkit's `open` signal. Each URL goes to the views that declare
    /// `onOpenURL`, or else to the scene in front, or else to the delegate. URLs that the app is started with are in
    /// its launch options.
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

    /// The default of a delegate without a hook: a file of a type that the app declares is opened as a document.
    func openAsDocument(_ url: URL) {
        if let documentOpener { return documentOpener(url) }
        if url.isFileURL, documentController.openKnown(url) { return }
        environment.log("nothing in this app opens a URL of the scheme \(url.scheme ?? "")")
    }
}
