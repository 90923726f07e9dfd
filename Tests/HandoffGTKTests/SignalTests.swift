// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffGTK

/// Signals of GLib objects, which need no display. Shows L15.
@Suite @MainActor struct SignalTests {
    private final class Witness {}

    private func action(_ parameter: String? = nil) -> OpaquePointer {
        let type = parameter.map { g_variant_type_new($0) }
        defer { type.map { g_variant_type_free($0) } }
        return g_simple_action_new("go", type ?? nil)
    }

    @Test func aSignalBringsItsValues() {
        let action = action("s")
        defer { g_object_unref(action.raw) }
        var heard: [String] = []
        onGTKSignal("activate", of: action.raw) { values in
            heard.append(values.variant(0).map { String(cString: g_variant_get_string($0, nil)) } ?? "")
        }
        for word in ["to", "and", "fro"] { g_action_activate(action, g_variant_new_string(word)) }
        #expect(heard == ["to", "and", "fro"])
    }

    @Test func askedForMoreThanThereIsASignalBringsNothing() {
        let action = action()
        defer { g_object_unref(action.raw) }
        var count = 0
        onGTKSignal("activate", of: action.raw) { values in
            count += 1
            for index in [-1, 1, Int.max - 1] {
                #expect(values.variant(index) == nil)
                #expect(values.text(index) == "")
                #expect(values.object(index) == nil)
                #expect(values.boxed(index) == nil)
                #expect(values.pointer(index) == nil)
                #expect(values.integer(index) == 0)
                #expect(values.number(index) == 0)
            }
        }
        g_action_activate(action, nil)
        #expect(count == 1)
    }

    @Test func handlerIsReleasedWithItsObject() {
        let action = action()
        weak var witness: Witness?
        do {
            let made = Witness()
            witness = made
            onGTKSignal("activate", of: action.raw) { _ in _ = made }
        }
        #expect(witness != nil)
        g_object_unref(action.raw)
        #expect(witness == nil)
    }
}
