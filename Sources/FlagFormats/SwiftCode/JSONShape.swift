import FlagModel

/// The common shape of JSON values, as a type in Swift.
indirect enum JSONShape: Equatable {
    case bool, int, double, string
    case array(of: JSONShape)
    /// The members, sorted by name.
    case object([Member])

    /// A member of an object.
    struct Member: Equatable {
        let name: String
        let shape: JSONShape
        /// Whether the member is missing or null in some of the objects.
        let isOptional: Bool
    }

    /// The maximum size of a value in bytes that becomes a type: the compiler is slow with large literals.
    private static let sizeLimit = 16_384

    /// The shape of a text; `nil` if it is not clear, such as that of an empty list.
    init?(of text: String) {
        guard text.utf8.count <= Self.sizeLimit, let document = try? JSONDocument(parsing: FlagText(text)) else {
            return nil
        }
        self.init(of: [document.root])
    }

    private init?(of values: [JSONValue]) {
        guard let kind = values.first?.kind, values.allSatisfy({ $0.kind == kind }) else { return nil }
        switch kind {
        case .null: return nil
        case .bool: self = .bool
        case .string: self = .string
        case .number:
            let isWhole = values.allSatisfy { FlagReading.int($0.source) != nil }
            guard isWhole || values.allSatisfy({ FlagReading.double($0.source) != nil }) else { return nil }
            self = isWhole ? .int : .double
        case .array:
            guard let shape = JSONShape(of: values.flatMap { Array($0.elements) }) else { return nil }
            self = .array(of: shape)
        case .object:
            guard let members = Self.members(of: values) else { return nil }
            self = .object(members)
        }
    }

    /// The members of all objects; `nil` if there is none, or the shape of one is not clear.
    private static func members(of objects: [JSONValue]) -> [Member]? {
        var values: [FlagText: [JSONValue]] = [:]
        for object in objects {
            for (key, value) in object.members { values[key, default: []].append(value) }
        }
        var members: [Member] = []
        for (name, all) in values.sorted(by: { $0.key < $1.key }) {
            let present = all.filter { $0.kind != .null }
            guard let shape = JSONShape(of: present) else { return nil }
            members.append(Member(name: name.string, shape: shape, isOptional: present.count < objects.count))
        }
        // Swift would compare some different names as equal.
        guard !members.isEmpty, Set(members.map(\.name)).count == members.count else { return nil }
        return members
    }
}
