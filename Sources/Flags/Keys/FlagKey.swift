public import FlagModel

/// The declaration of a flag: its key, its type, and its default value.
///
/// Declare keys as static members:
///
/// ```swift
/// extension FlagKey<Bool> {
///     static let multipleLocations = FlagKey("enable_multiple_locations", default: false)
/// }
/// ```
///
/// and read them with `flags[.multipleLocations]`. A key is a number and a pointer to its declaration, so copies are
/// cheap. Keys with the same name, type and default share one declaration, which lives as long as the process.
public struct FlagKey<Value: Sendable>: Sendable {
    private let shared: Unmanaged<FlagDeclaration<Value>>
    /// The index of the slot that has the value in each store.
    @usableFromInline let slot: Int

    var declaration: FlagDeclaration<Value> { shared.takeUnretainedValue() }

    /// The key as remote documents spell it.
    public var name: String { declaration.name }
    /// The value if no layer has a valid one.
    public var defaultValue: Value { declaration.defaultValue }
    /// The type for which menus and explanations check texts.
    public var type: FlagType { declaration.type }

    init(_ name: String, default defaultValue: Value, coding: FlagCoding<Value>, facts: DeclaredFlag.Facts) {
        var facts = facts
        facts.options = coding.cases
        let declaration = FlagRegistry.declare(name, default: defaultValue, coding: coding, facts: facts)
        // The registry never frees a declaration.
        shared = .passUnretained(declaration)
        slot = declaration.slot
    }
}

extension FlagKey where Value: LosslessStringConvertible {
    /// A bool, a number, plain text, or any other type that converts from text.
    ///
    /// A `Bool` is read as in Firebase: `1, true, t, yes, y, on` and `0, false, f, no, n, off` in any case; an `Int` is
    /// a whole number, and a `Double` a JSON number.
    ///
    /// - Parameters:
    ///   - name: the key as remote documents spell it.
    ///   - defaultValue: the value if no layer has a valid one.
    ///   - options: the values that menus offer, in their order. Other values of the type are valid, too.
    ///   - title: the title in menus; by default the key.
    ///   - description: what the flag does, in a sentence or two.
    ///   - group: the category in menus.
    ///   - owner: who looks after the flag.
    ///   - expires: the day after which the flag should be gone, such as `2027-01-31`.
    ///   - needsRestart: whether the app uses a new value only after it is started again, such as a flag that it reads
    ///     once at its start.
    @_disfavoredOverload  // An enumeration that also converts from text in another way is read by its raw value.
    public init(
        _ name: String, default defaultValue: Value, options: [Value] = [], title: String? = nil,
        description: String? = nil, group: String? = nil, owner: String? = nil, expires: String? = nil,
        needsRestart: Bool = false
    ) {
        var coding = FlagCoding<Value>.lossless
        coding.cases = options.map(\.description)
        self.init(
            name, default: defaultValue, coding: coding,
            facts: DeclaredFlag.Facts(
                title: title, description: description, group: group, owner: owner, expires: expires,
                needsRestart: needsRestart))
    }
}

extension FlagKey where Value: RawRepresentable, Value.RawValue == String {
    /// A case of an enumeration, by its raw value; any other text is invalid. If the enumeration is `CaseIterable`,
    /// menus offer its cases. The parameters are those of the key of a bool.
    public init(
        _ name: String, default defaultValue: Value, title: String? = nil, description: String? = nil,
        group: String? = nil, owner: String? = nil, expires: String? = nil, needsRestart: Bool = false
    ) {
        self.init(
            name, default: defaultValue, coding: .variant,
            facts: DeclaredFlag.Facts(
                title: title, description: description, group: group, owner: owner, expires: expires,
                needsRestart: needsRestart))
    }
}

/// A key of any type, to name the keys that an app declares; see ``FlagStore``.
public protocol DeclaredKey: Sendable {
    /// The key as remote documents spell it.
    var name: String { get }
}

extension FlagKey: DeclaredKey {}
