// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffGTK

@Suite struct ApplicationIdentifierTests {
    @Test(arguments: ["com.example.texteditor", "com.example.Text-Editor", "org.handoff.sample_1"])
    func anIdentifierThatGLibTakesStaysAsItIs(bundle: String) {
        #expect(ApplicationIdentifier.fitting(bundle) == bundle)
    }

    @Test func aPartThatBeginsWithADigitGetsAnUnderscore() {
        #expect(ApplicationIdentifier.fitting("com.3d.7zip") == "com._3d._7zip")
    }

    @Test(arguments: ["", "editor", "com..editor", "com.example.", "com.example.texte ditor", "com.exämple.editor"])
    func invalidIdentifierDoesNotFit(bundle: String) {
        #expect(ApplicationIdentifier.fitting(bundle) == nil)
    }

    @Test func aGivenLengthIsTheMost() {
        let longest = "com." + String(repeating: "a", count: 251)
        #expect(ApplicationIdentifier.fitting(longest) == longest)
        #expect(ApplicationIdentifier.fitting(longest + "a") == nil)
    }

    @Test(arguments: [
        ("Editor.svg", "Editor"), ("Editor.png", "Editor"), ("Editor", "Editor"), ("Editor.svgz", "Editor.svgz"),
    ])
    func anIconIsKnownWithoutItsEnding(file: String, name: String) async {
        #expect(await Icons.name(of: file) == name)
    }
}
