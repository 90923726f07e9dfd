// SPDX-License-Identifier: Apache-2.0

/// A view controller with AppKit's hooks, which are not told of animations.
@MainActor
open class NSViewController: ViewController {
    open func viewWillAppear() {}
    open func viewDidAppear() {}
    open func viewWillDisappear() {}
    open func viewDidDisappear() {}

    public final override func viewWillAppear(_ animated: Bool) { viewWillAppear() }
    public final override func viewDidAppear(_ animated: Bool) { viewDidAppear() }
    public final override func viewWillDisappear(_ animated: Bool) { viewWillDisappear() }
    public final override func viewDidDisappear(_ animated: Bool) { viewDidDisappear() }
}
