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
public struct FlagKey<Value: FlagValue>: DeclaredKey {
    // The conformance is here, and not in an extension, so that keys in an app that is isolated to the main actor by default
    // are not isolated: Swift leaves out members of types that are declared with such a conformance.

    private let shared: Unmanaged<FlagDeclaration<Value>>
    /// The index of the slot that has the value in each store.
    @usableFromInline let slot: Int

    var declaration: FlagDeclaration<Value> { shared.takeUnretainedValue() }

    /// The key as remote documents spell it.
    public var name: String { declaration.name }
    /// The value if no layer has a valid one.
    public var defaultValue: Value { declaration.defaultValue }
    /// The type for which menus and explanations check texts.
    public var type: FlagType { Value.flagType }

    /// Declares a flag.
    ///
    /// - Parameters:
    ///   - name: the key as remote documents spell it.
    ///   - defaultValue: the value if no layer has a valid one.
    ///   - options: the values that menus offer, in their order; by default those of the type. Other values of the type
    ///     are valid, too.
    ///   - title: the title in menus; by default the key.
    ///   - description: what the flag does, in a sentence or two.
    ///   - group: the category in menus.
    ///   - owner: who looks after the flag.
    ///   - expires: the day after which the flag should be gone, such as `2027-01-31`.
    ///   - needsRestart: whether the app uses a new value only after it is started again, such as a flag that it reads
    ///     once at its start.
    public init(
        _ name: String, default defaultValue: Value, options: [Value] = Value.flagOptions, title: String? = nil,
        description: String? = nil, group: String? = nil, owner: String? = nil, expires: String? = nil,
        needsRestart: Bool = false
    ) {
        let facts = DeclaredFlag.Facts(
            title: title, description: description, group: group, owner: owner, expires: expires,
            needsRestart: needsRestart, options: options.compactMap { try? $0.flagText() })
        let declaration = FlagRegistry.declare(name, default: defaultValue, facts: facts)
        // The registry never frees a declaration.
        shared = .passUnretained(declaration)
        slot = declaration.slot
    }
}

extension FlagKey: Hashable, CustomStringConvertible {
    /// Whether two keys have the same name, type and default.
    public static func == (one: FlagKey, two: FlagKey) -> Bool { one.slot == two.slot }

    /// Hashes the key.
    public func hash(into hasher: inout Hasher) { hasher.combine(slot) }

    /// The name.
    public var description: String { name }
}

/// The key of a flag of any type, so that different keys fit in one list; see ``FlagStore/Options/declares``.
public protocol DeclaredKey: Sendable {
    /// The key as remote documents spell it.
    var name: String { get }
}

/// A type whose properties are the keys of flags, so that a store can be given all of them at once:
///
/// ```swift
/// struct ShopFlags: FlagNamespace {
///     let multipleLocations = FlagKey("enable_multiple_locations", default: false)
///     let theme = FlagKey("theme", default: Theme.plain)
/// }
/// ```
///
/// An app reads `flags[shop.theme]` with `let shop = ShopFlags()`, and gives a store all of them, so that menus list each
/// before the code first reads it: `declares: ShopFlags.keys`. Static members are created one by one when they are first
/// used, and Swift cannot list them.
public protocol FlagNamespace: Sendable {
    /// Declares the keys.
    init()
}

extension FlagNamespace {
    /// The keys, also those of properties that are namespaces themselves.
    public static var keys: [any DeclaredKey] { Self().keys }

    private var keys: [any DeclaredKey] {
        Mirror(reflecting: self).children.flatMap { child -> [any DeclaredKey] in
            if let namespace = child.value as? any FlagNamespace { return namespace.keys }
            return (child.value as? any DeclaredKey).map { [$0] } ?? []
        }
    }
}
