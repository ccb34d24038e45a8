import Flags
import Observation
import Testing

/// Code as an app has it: it imports products alone, and is compiled in the Swift 6 language mode, with warnings as
/// errors.
@MainActor @Suite struct AdoptingAppTests {
    private let store = FlagStore.inMemory()

    /// Waits until a condition is met, while others use the main actor.
    private func until(_ condition: () async -> Bool) async {
        for _ in 0..<30_000 where await !condition() { try? await Task.sleep(for: .milliseconds(1)) }
        #expect(await condition())
    }

    @Test func `a view is drawn again after a change of its flag`() async throws {
        let view = LocationView(flags: ObservableFlags(store))
        let screen = Screen()
        screen.draw { view.body }
        #expect(screen.drawn == [Text("Location")])
        try await store.setOverride(.welcomeScreen, to: WelcomeScreen(title: "Hi"))
        try await store.setOverride(.multipleLocations, to: true)
        await until { screen.drawn.count > 1 }
        #expect(screen.drawn == [Text("Location"), Text("Locations")])
    }

    @Test func `a view that reads a model is drawn again, and a model on its own is up to date`() async throws {
        let model = LocationModel(ObservableFlags(store))
        let screen = Screen()
        screen.draw { Text(model.title) }
        try await store.setOverride(.multipleLocations, to: true)
        await until { screen.drawn == [Text("Location"), Text("Locations")] }
        #expect(model.title == "Locations")
    }

    @Test func `an actor redraws, too`() async throws {
        let prices = Prices(ObservableFlags(store))
        await prices.redraw()
        try await store.setOverride(.multipleLocations, to: true)
        await until { await prices.text == "Prices of all locations" }
        try await store.clearOverrides()
        await until { await prices.text == "Prices" }
    }

    @Test func `a preview has flags of its own`() {
        #expect((preview.body as? Text) == Text("Locations"))
    }

    @Test func `a request of a tester has its own flags, and no other request has them`() async {
        let header = ["X-Flags": "enable_multiple_locations=true,nonsense,unknown=1"]
        async let others = respond(to: Request(headers: header, isFromTester: false), with: store)
        let own = await respond(to: Request(headers: header, isFromTester: true), with: store)
        #expect(own == "Locations")
        #expect(await others == "Location")
        #expect(await respond(to: Request(headers: [:], isFromTester: true), with: store) == "Location")
    }

    @Test func `exposure events leave out overridden values`() async throws {
        let analytics = Analytics()
        let observation = recordExposures(of: store, to: analytics)
        #expect(!store[.multipleLocations])
        try await store.setOverride(.multipleLocations, to: true)
        #expect(store[.multipleLocations])
        #expect(analytics.recorded == ["exposure of enable_multiple_locations: false, default"])
        #expect(describe(store) == "enable_multiple_locations is true: TARGETING_MATCH, override")
        withExtendedLifetime(observation) {}
    }
}

/// Draws as SwiftUI does: what a drawing has read is tracked, and a change draws it again on the main actor.
@MainActor final class Screen {
    private(set) var drawn: [Text] = []

    func draw(_ body: @escaping @MainActor () -> Text) {
        let text = withObservationTracking(body) {
            Task { @MainActor in self.draw(body) }
        }
        drawn.append(text)
    }
}
