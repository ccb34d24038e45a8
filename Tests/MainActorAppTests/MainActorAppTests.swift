import DeveloperMenuTerminal
import FlagQueries
import Flags
import Observation
import TerminalShell
import Testing

extension FlagKey<Bool> {
    static let hasSale = FlagKey("main_actor_sale", default: false, title: "Sale", group: "Shop")
}

struct Banner: Codable, FlagValue, Equatable {
    var text: String
}

extension FlagKey<Banner> {
    static let banner = FlagKey("main_actor_banner", default: Banner(text: ""))
}

@Observable
final class SaleModel {
    private let flags: ObservableFlags

    init(_ flags: ObservableFlags) { self.flags = flags }

    var text: String { flags[.hasSale] ? "Sale: \(flags[.banner].text)" : "" }
}

/// Draws a model, and draws it again after each change.
final class Screen {
    private let model: SaleModel
    private(set) var drawn: [String] = []

    init(_ model: SaleModel) { self.model = model }

    func draw() {
        let text = withObservationTracking {
            model.text
        } onChange: {
            Task { @MainActor in self.draw() }
        }
        drawn.append(text)
    }
}

/// The README's menu inside a terminal app; it is compiled but not run.
func openMenu(_ flags: FlagStore, _ preferences: Preferences, on terminal: TerminalControl) throws -> MenuEnd {
    let menu = try TerminalMenu(flags: flags, preferences: preferences).run(on: terminal)
    return menu
}

/// An app that is isolated to the main actor by default; its keys can be used everywhere.
@Suite struct MainActorAppTests {
    private let store = FlagStore.inMemory()

    @Test func `a model follows its flags, and other code reads them, too`() async throws {
        let model = SaleModel(ObservableFlags(store))
        let screen = Screen(model)
        screen.draw()
        try await store.setOverride(.banner, to: Banner(text: "all"))
        try await store.setOverride(.hasSale, to: true)
        for _ in 0..<30_000 where screen.drawn.last != "Sale: all" { try? await Task.sleep(for: .milliseconds(1)) }
        #expect(screen.drawn.last == "Sale: all")
        let hasSale: Bool = await Task.detached { [store] in store[.hasSale] }.value
        #expect(hasSale)
        let observation = store.onEvaluation { _ in }
        #expect(store.evaluationDetails(of: .banner).isOverridden)
        withExtendedLifetime(observation) {}
    }
}
