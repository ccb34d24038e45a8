import FlagModel

extension FlagKey where Value: LosslessStringConvertible {
    /// A number or a text, with the values that menus offer. Other values of the type are valid, too; an enumeration
    /// allows only its cases.
    ///
    /// - Parameters:
    ///   - name: the key as remote documents spell it.
    ///   - defaultValue: the value if no layer has a valid one.
    ///   - options: the values to choose from, in the order of the menu.
    ///   - title: the title in menus; by default the key.
    ///   - description: what the flag does, in a sentence or two.
    ///   - group: the category in menus.
    ///   - owner: who looks after the flag.
    ///   - expires: the day after which the flag should be gone, such as `2027-01-31`.
    ///   - needsRestart: whether the app uses a new value only after it is started again.
    public init(
        _ name: String, default defaultValue: Value, options: [Value], title: String? = nil,
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
