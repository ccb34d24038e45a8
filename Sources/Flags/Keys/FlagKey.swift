public import FlagModel

/// The declaration of a flag: its key, its type, and the value that holds where no layer has one.
///
/// Declare keys as static members, once:
///
/// ```swift
/// extension FlagKey<Bool> {
///     static let multipleLocations = FlagKey("enable_multiple_locations", default: false)
/// }
/// ```
///
/// and read them with `flags[.multipleLocations]`. A key is a number and a pointer, so passing it around costs nothing;
/// what it points at lives as long as the process, however often the same key is declared.
public struct FlagKey<Value: Sendable>: Sendable {
    private let shared: Unmanaged<FlagDeclaration<Value>>
    /// Where each store keeps the value.
    @usableFromInline let slot: Int

    var declaration: FlagDeclaration<Value> { shared.takeUnretainedValue() }

    /// The key as remote documents spell it.
    public var name: String { declaration.name }
    /// The value where no layer has one that can be read.
    public var defaultValue: Value { declaration.defaultValue }
    /// How texts are checked in menus and explanations.
    public var type: FlagType { declaration.type }

    init(_ name: String, default defaultValue: Value, coding: FlagCoding<Value>) {
        let declaration = FlagRegistry.declare(name, default: defaultValue, coding: coding)
        // The registry keeps every declaration for ever.
        shared = .passUnretained(declaration)
        slot = declaration.slot
    }
}

extension FlagKey where Value: LosslessStringConvertible {
    /// A switch, a number, text as it stands, or any other type that reads itself from text.
    ///
    /// A `Bool` is read as Firebase reads one: `1, true, t, yes, y, on` and `0, false, f, no, n, off` in any case; an `Int`
    /// is a whole number, and a `Double` a number as JSON spells it.
    public init(_ name: String, default defaultValue: Value) {
        self.init(name, default: defaultValue, coding: .lossless)
    }
}

extension FlagKey where Value: RawRepresentable, Value.RawValue == String {
    /// One of the variants that an enumeration names; any other text counts as none.
    public init(_ name: String, default defaultValue: Value) {
        self.init(name, default: defaultValue, coding: .variant)
    }
}

extension FlagKey where Value: RawRepresentable, Value.RawValue == String, Value: LosslessStringConvertible {
    /// One of the variants that an enumeration names, also where it reads itself from text in another way.
    public init(_ name: String, default defaultValue: Value) {
        self.init(name, default: defaultValue, coding: .variant)
    }
}
