// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffCore

// Shows M06.
@Suite struct OpeningArgumentsTests {
    private func filled(_ templates: [String], _ values: [String: String]) throws -> [String] {
        try OpeningArguments(templates).filled { values[$0] }
    }

    @Test func valuesReplaceTheirPlaceholders() throws {
        #expect(
            try filled(["--start={seconds}", "--", "{target}"], ["seconds": "61.5", "target": "/home/anna/a b.mkv"])
                == ["--start=61.5", "--", "/home/anna/a b.mkv"])
        #expect(try filled(["geo:{latitude},{longitude}"], ["latitude": "-1", "longitude": "2"]) == ["geo:-1,2"])
    }

    @Test func argumentWhoseValueIsMissingIsLeftOut() throws {
        #expect(try filled(["--start={seconds}", "--", "{target}"], ["target": "/a"]) == ["--", "/a"])
    }

    @Test func activityWithoutAnyOfTheValuesIsNotOpened() {
        #expect(throws: OpeningArguments.Problem.self) { try filled(["--new", "{target}"], ["uri": "x"]) }
    }

    @Test(arguments: ["--evil", "-e", "-"]) func valueNeverBecomesAnOption(value: String) {
        #expect(throws: OpeningArguments.Problem.self) { try filled(["{target}"], ["target": value]) }
        #expect(throws: OpeningArguments.Problem.self) { try filled(["{a}{target}"], ["a": "", "target": value]) }
        #expect(throws: Never.self) { try filled(["--file={target}"], ["target": value]) }
    }

    @Test func valueWithPlaceholderOrSpacesStaysOneArgument() throws {
        #expect(try filled(["{target}"], ["target": "{seconds} $(x) \"", "seconds": "1"]) == ["{seconds} $(x) \""])
    }

    @Test func tooLongValuesAndZeroBytesAreRefused() {
        let long = String(repeating: "a", count: OpeningArguments.bytes + 1)
        for value in [long, "a\0b"] {
            #expect(throws: OpeningArguments.Problem.self) { try filled(["{target}"], ["target": value]) }
        }
        #expect(throws: Never.self) { try filled(["{target}"], ["target": String(long.dropLast())]) }
    }

    @Test(arguments: [
        [], ["--"], ["{"], ["}"], ["{a"], ["a}"], ["{}{target}"], ["{A}"], ["{a b}"], ["--{target}"], ["-{target}"],
        ["\0{target}"], ["{target}" + String(repeating: "a", count: OpeningArguments.bytes)],
        Array(repeating: "{target}", count: OpeningArguments.maximum + 1),
    ]) func unusableTemplatesAreRefused(templates: [String]) {
        #expect(throws: OpeningArguments.Problem.self) { try OpeningArguments(templates) }
    }
}
