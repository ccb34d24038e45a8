import Testing

@testable import FlagModel

@Suite struct LayerTests {
    let all = LayerValues([
        .launch: ["k": "1"], .override: ["k": "2"], .team: ["k": "3"], .remote: ["k": "4"], .default: ["k": "5"],
    ])

    @Test func `highest layer wins`() {
        var layers = all
        for (index, layer) in FlagLayer.allCases.enumerated() {
            let explanation = layers.resolve("k", type: .int)
            #expect(explanation.winner == layer && explanation.value?.string == "\(index + 1)")
            layers[layer] = [:]
        }
        let none = layers.resolve("k", type: .int)
        #expect(none.winner == nil && none.value == nil)
    }

    @Test func `explanation has every layer`() {
        let explanation = all.resolve("k" as FlagText, type: .int)
        #expect(explanation.entries.map(\.layer) == FlagLayer.allCases)
        #expect(explanation.entries.map { $0.value?.string } == ["1", "2", "3", "4", "5"])
        #expect(explanation == all.resolve("k", type: .int))
    }

    @Test func `unused layers are left out`() {
        var layers = LayerValues()
        func shown() -> [FlagLayer] { layers.resolve("k", type: .int).entries.map(\.layer) }
        #expect(shown() == [.override, .remote, .default])
        layers[.launch] = ["other": "1"]
        #expect(shown() == [.launch, .override, .remote, .default])
        layers[.team] = ["k": "1"]
        #expect(shown() == FlagLayer.allCases)
    }

    /// A new layer works everywhere if it has only a case, a word and content.
    @Test(arguments: FlagLayer.allCases)
    func `layer needs only its content`(layer: FlagLayer) {
        let values = LayerValues([layer: ["k": "7"]])
        let explanation = values.resolve("k" as FlagText, type: .int)
        #expect(explanation.winner == layer && explanation.value == "7")
        #expect(explanation.entries.contains(.init(layer: layer, value: "7", isCastable: true)))
        #expect(values.keys == ["k"] && values.text(of: "k", in: layer) == "7")
        var documents = LayerValues()
        documents[layer] = LayerContent(["k": "7"])
        #expect(documents.resolve("k" as FlagText, type: .int) == explanation)
        #expect(FlagBoard(values).facts(of: "k" as FlagText).explanation.winner == layer)
        #expect((FlagBoard(values) == FlagBoard()) == !FlagLayer.aboveRemote.contains(layer))
    }

    @Test func `invalid value falls through to the next layer`() {
        let layers = LayerValues([.override: ["k": "maybe"], .remote: ["k": "on"]])
        let explanation = layers.resolve("k", type: .bool)
        #expect(explanation.winner == .remote && explanation.value == "on")
        #expect(explanation.entries[0] == .init(layer: .override, value: "maybe", isCastable: false))
    }

    @Test(
        arguments: [
            (nil, "true", .bool, .notSet), ("false", "true", .bool, .overridden),
            ("true", "true", .bool, .sameAsRemote),
            ("on", "true", .bool, .sameAsRemote),
            ("maybe", "true", .bool, .invalid("\"maybe\" is not a valid bool; apps ignore it")),
            ("c", "a", .string, .stale("\"c\" is not one of the options")),
            ("\u{1B}", "a", .string, .stale("\"\\u001B\" is not one of the options")),
        ] as [(String?, String, FlagType, OverrideState)])
    func `override states`(_ override: String?, _ remote: String, _ type: FlagType, _ state: OverrideState) {
        let options = (type == .bool ? ["true", "false"] : ["a", "b"]).map { FlagOption(value: $0) }
        var layers = LayerValues([.remote: ["k": remote]])
        layers.overrides["k"] = override.map { FlagOverride(value: $0) }
        let explanation = layers.resolve("k", type: type)
        #expect(OverrideState.of(item: FlagItem(key: "k", options: options), explanation: explanation) == state)
    }

    @Test func `conditional values of a template are not a closed list`() {
        let catalog = FlagItem(key: "k", options: [FlagOption(value: "a"), FlagOption(value: "b")])
        let template = FlagItem(key: "k", options: [FlagOption(value: "a"), FlagOption(value: "b", label: "ios")])
        let layers = LayerValues([.override: ["k": "c"], .remote: ["k": "a"]])
        let explanation = layers.resolve("k", type: .string)
        #expect(OverrideState.of(item: template, explanation: explanation) == .overridden)
        #expect(OverrideState.of(item: catalog, explanation: explanation).word == "stale")
        #expect(catalog.isClosedList(of: .string) && !template.isClosedList(of: .string))
        #expect(template.isClosedList(of: .bool))
    }

    @Test func `override of an unknown key is stale`() {
        var layers = LayerValues([.override: ["k": "x"]])
        func state(_ item: FlagItem?) -> OverrideState {
            OverrideState.of(item: item, explanation: layers.resolve("k", type: .string))
        }
        #expect(state(nil) == .stale("neither the catalog nor a source has this key; an app may still read it"))
        #expect(state(FlagItem(key: "k")) == .overridden)
        layers[.default].table = ["k": "y"]
        #expect(state(nil) == .overridden)
    }

    @Test func `every state has a word`() {
        let states: [OverrideState] = [.notSet, .overridden, .sameAsRemote, .stale(""), .invalid("")]
        #expect(states.map(\.word) == ["", "overridden", "same as remote", "stale", "invalid"])
    }
}

@Suite struct CatalogTests {
    @Test(arguments: [
        ("", []), ("true|false", ["true", "false"]), ("a|", ["a", ""]), ("|", ["", ""]), (#"a\|b|c"#, ["a|b", "c"]),
        (#"a\b|c"#, [#"a\b"#, "c"]), (#"a\\|b"#, [#"a\|b"#]), ("one", ["one"]), ("é|日", ["é", "日"]),
    ])
    func `options are separated by bars`(_ text: String, _ options: [String]) {
        #expect(FlagOption.list(in: FlagText(text)).map(\.value) == options)
    }

    @Test func `duplicate key uses its first item`() {
        let catalog = Catalog([
            ("A", [FlagItem(key: "x", title: "X"), FlagItem(key: "y")]),
            ("B", [FlagItem(key: "x", title: "again"), FlagItem(key: "z")]),
        ])
        #expect(catalog.items.map(\.name.string) == ["X", "y", "z"])
        #expect(catalog.categories.map(\.items) == [0..<2, 2..<3])
        #expect(catalog.item("z")?.category == 1 && catalog.index(of: "y") == 1 && catalog.item("w") == nil)
    }
}
