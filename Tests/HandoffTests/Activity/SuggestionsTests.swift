// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Handoff

/// Donations to an assistant that does not exist.
@Suite struct SuggestionsTests {
    let laptop: Laptop

    init() throws { laptop = try Laptop(startingDaemon: false) }

    final class OrderSoupIntent: INIntent {
        var soup = ""
    }

    @Test func phraseIsKeptAndNotCarriedAndSaidOnceToDoNothing() async throws {
        let activity = laptop.activity()
        #expect(activity.suggestedInvocationPhrase == nil)
        activity.suggestedInvocationPhrase = nil
        #expect(laptop.log.waiting.isEmpty)
        activity.suggestedInvocationPhrase = "Go on reading"
        laptop.activity().suggestedInvocationPhrase = "Read"
        #expect(activity.suggestedInvocationPhrase == "Go on reading")
        #expect(try await laptop.log.next().contains("suggestedInvocationPhrase do nothing"))
        #expect(laptop.log.waiting.isEmpty)
        #expect(activity.interaction == nil)
        let there = NSUserActivity(
            type: activity.record.type, content: try ActivityContent(activity.savedState()), center: laptop.center)
        #expect(there.suggestedInvocationPhrase == nil)
    }

    @Test func donationsAndDeletionsEndWithTheErrorOfADeviceThatKeepsNone() async throws {
        let intent = OrderSoupIntent()
        intent.soup = "tomato"
        intent.suggestedInvocationPhrase = "Order soup"
        let response = INIntentResponse()
        response.userActivity = laptop.activity()
        let interaction = INInteraction(intent: intent, response: response)
        interaction.groupIdentifier = "soups"
        interaction.direction = .outgoing
        #expect((interaction.intent as? OrderSoupIntent)?.soup == "tomato")
        #expect(interaction.intentResponse === response)
        #expect(interaction.intentHandlingStatus == .unspecified)
        #expect(interaction.identifier != INInteraction(intent: intent, response: nil).identifier)

        let answers = Mailbox<NSError?>()
        laptop.center.run {
            interaction.donate { answers.post($0.map { $0 as NSError }) }
            INInteraction.deleteAll { answers.post($0.map { $0 as NSError }) }
            INInteraction.delete(with: ["one"]) { answers.post($0.map { $0 as NSError }) }
            INInteraction.delete(with: "soups") { answers.post($0.map { $0 as NSError }) }
            interaction.donate()
        }
        for _ in 0..<4 {
            let error = try #require(try await answers.next())
            #expect(error.domain == "IntentsErrorDomain")
            #expect(error.code == 1900)
            #expect(error.localizedDescription == "This system keeps no interactions.")
        }
        #expect(try await laptop.log.next().contains("INInteraction"))
        #expect(laptop.log.waiting.isEmpty)
    }

    @Test func asyncFormsThrowIt() async throws {
        let interaction = INInteraction(intent: INIntent(), response: nil)
        let expected = INIntentError(.interactionOperationNotSupported)
        await ActivityCenter.$simulated.withValue(laptop.center) {
            await #expect(throws: expected) { try await interaction.donate() }
            await #expect(throws: expected) { try await INInteraction.deleteAll() }
            await #expect(throws: expected) { try await INInteraction.delete(with: ["one"]) }
            await #expect(throws: expected) { try await INInteraction.delete(with: "soups") }
        }
    }
}
