// SPDX-License-Identifier: Apache-2.0

package import HandoffStrings
package import HandoffWire

package struct TypedSecret {
    private let form: CheckedGroups
    private let text: String

    package init(_ text: String, as form: CheckedGroups) {
        self.text = text
        self.form = form
    }

    /// Nil: no mistake so far. `isComplete`: the user has finished typing.
    package func mistake(isComplete: Bool, _ strings: LocalizedStrings) -> String? {
        let typed = Base32.normalized(text).count
        guard typed > 0 else { return nil }
        if let group = form.mistypedGroup(in: text) {
            return strings(.typoInGroup, "\(group + 1)", "\(form.groups)")
        }
        guard typed > form.length || (isComplete && typed < form.length) else { return nil }
        return strings(.wrongLength, "\(form.length)", "\(typed)")
    }

    /// The group with the typo, in Unicode scalars of the text.
    package var mistypedPlace: Range<Int>? { form.mistypedGroup(in: text).map { form.place(of: $0, in: text) } }
}
