/// One flag as a menu lists it: its key, title, description and the values to choose from.
///
/// The texts are slices of the document; the text of the options is split on each use.
public struct FlagItem: Sendable, Hashable {
    /// The source of the options.
    enum OptionSource: Sendable, Hashable {
        /// The item's `value`, not yet split into options.
        case text(FlagText)
        /// Separate options, from code or from a template.
        case list([FlagOption])
    }

    /// What few flags have.
    struct Attributes: Sendable, Hashable {
        var owner: FlagText?
        var expires: FlagText?
        var requires: [FlagText] = []
        var needsRestart = false
        var isSecret = false
        var bounds: NumberBounds?
    }

    /// The key that apps read.
    public internal(set) var key: FlagText
    /// The title, shown instead of the key.
    public internal(set) var title: FlagText?
    /// What the flag does.
    public internal(set) var details: FlagText?
    var optionSource: OptionSource
    /// The type in the catalog or the template; `nil` if it is inferred.
    public internal(set) var declaredType: FlagType?
    /// ``attributes``, or nothing if the flag has none: items are copied often, and most have none.
    private var storedAttributes: [Attributes] = []
    /// The index of the item's category in the catalog.
    public internal(set) var category = 0

    /// An item with a list of options, from code or from a template.
    public init(
        key: FlagText, title: FlagText? = nil, details: FlagText? = nil, options: [FlagOption] = [],
        declaredType: FlagType? = nil
    ) {
        (self.key, self.title, self.details) = (key, title, details)
        optionSource = .list(options)
        self.declaredType = declaredType
    }

    var attributes: Attributes {
        get { storedAttributes.first ?? Attributes() }
        set { storedAttributes = newValue == Attributes() ? [] : [newValue] }
    }
    /// The owner of the flag.
    public var owner: FlagText? { attributes.owner }
    /// The ISO date after which the flag should no longer exist.
    public var expires: FlagText? { attributes.expires }
    /// The keys of flags that must be on for this flag to have an effect.
    public var requires: [FlagText] { attributes.requires }
    /// Whether apps see a change only after a restart.
    public var needsRestart: Bool { attributes.needsRestart }
    /// Whether the catalog says that values must not leave the machine. See ``SecretFlags``, which also has patterns.
    var isSecret: Bool { attributes.isSecret }
    /// The minimum and the maximum; `nil` if the catalog has neither.
    package var bounds: NumberBounds? { attributes.bounds }

    /// The item with what code declares. The code's type wins, as it decides what apps can read. Texts and options of the
    /// item win, as they were written for this menu; the code completes them.
    func completed(by flag: DeclaredFlag) -> FlagItem {
        let facts = flag.facts
        var item = self
        item.title = title ?? facts.title.map { FlagText($0) }
        item.details = details ?? facts.description.map { FlagText($0) }
        if !facts.options.isEmpty, listedOptions.count < 2 {
            item.optionSource = .list(facts.options.map { FlagOption(value: $0) })
        }
        item.declaredType = flag.type
        item.attributes.owner = owner ?? facts.owner.map { FlagText($0) }
        item.attributes.expires = expires ?? facts.expires.map { FlagText($0) }
        item.attributes.needsRestart = needsRestart || facts.needsRestart
        return item
    }

    /// The title, or the key if there is no title.
    public var name: FlagText { title ?? key }

    /// The options, ``FlagOption/limit`` at most. If there are fewer than two options, the value is edited as text.
    public var options: [FlagOption] {
        let options = listedOptions
        return options.count > FlagOption.limit ? Array(options.prefix(FlagOption.limit)) : options
    }

    private var listedOptions: [FlagOption] {
        switch optionSource {
        case .text(let text): FlagOption.list(in: text)
        case .list(let options): options
        }
    }

    /// The name that the item gives to a value, such as a variant's; `nil` if it gives none.
    package func name(of value: String, type: FlagType) -> String? {
        guard case .list(let options) = optionSource else { return nil }
        return options.first { $0.isNamed && type.isSame($0.value, value) }?.label
    }

    /// Whether only the options are allowed. A catalog lists all allowed values. A template's conditional values are
    /// only examples, except for a bool. `false` if there are more options than ``FlagOption/limit``.
    public func isClosedList(of type: FlagType) -> Bool {
        let options = listedOptions
        return 2...FlagOption.limit ~= options.count && (type == .bool || options.allSatisfy { $0.label == nil })
    }

    private static let bools: FlagText = "true|false"

    /// The declared type. Without one, the type is inferred from the options, or from `value` if there are fewer than
    /// two options.
    public func type(value: FlagText? = nil) -> FlagType {
        typeWithoutValue ?? inferredType(value: value)
    }

    /// The type of a flag that has fewer than two options and declares none.
    func inferredType(value: FlagText?) -> FlagType {
        FlagType.inferred(from: listedOptions.map(\.value), value: value?.string)
    }

    /// The type, unless it depends on the flag's value.
    var typeWithoutValue: FlagType? {
        if let declaredType { return declaredType }
        // Most flags have exactly these options; splitting the text for each of 100,000 flags would be slow.
        if case .text(Self.bools) = optionSource { return .bool }
        let options = listedOptions
        return options.count < 2 ? nil : FlagType.inferred(from: options.map(\.value), value: nil)
    }
}
