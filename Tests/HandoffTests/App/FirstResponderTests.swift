// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Handoff
@testable import HandoffApp

@Suite @MainActor struct FirstResponderTests {
    private final class Field: UIView {
        var isEnabled = true
        var holds = false
        override var canBecomeFirstResponder: Bool { isEnabled }
        override var canResignFirstResponder: Bool { !holds }
    }

    private let window = UIWindow()
    private let controller = UIViewController()

    init() { window.rootViewController = controller }

    private func field() -> Field {
        let field = Field()
        field.nextResponder = controller
        return field
    }

    @Test func focusGoesFromOneToTheNext() {
        let (name, street) = (field(), field())
        #expect(name.becomeFirstResponder())
        #expect(name.isFirstResponder)
        #expect(window.firstResponder === name)
        #expect(name.becomeFirstResponder())
        #expect(street.becomeFirstResponder())
        #expect(!name.isFirstResponder)
        #expect(street.resignFirstResponder())
        #expect(window.firstResponder == nil)
        #expect(!street.resignFirstResponder())
    }

    @Test func focusStaysWhereItIsHeld() {
        let (name, street) = (field(), field())
        name.becomeFirstResponder()
        name.holds = true
        #expect(!street.becomeFirstResponder())
        #expect(!name.resignFirstResponder())
        #expect(window.firstResponder === name)
    }

    @Test func responderThatMayNotHaveTheFocusDoesNotTakeIt() {
        let field = field()
        field.isEnabled = false
        #expect(!field.becomeFirstResponder())
        #expect(!controller.becomeFirstResponder())
        #expect(!Field().becomeFirstResponder())
        #expect(window.firstResponder == nil)
    }
}
