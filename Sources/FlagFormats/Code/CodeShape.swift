import FlagModel

/// The type of a JSON value in generated code.
indirect enum CodeShape {
    case bool, int, double, text
    case array(of: CodeShape)
    case structure(name: String, [Property])

    /// A property of a structure, for a member of a JSON object.
    struct Property {
        let name: String
        let member: String
        let shape: CodeShape
        let isOptional: Bool
    }

    /// The maximum size of a value in bytes that gets a type: the compiler is slow with large literals.
    private static let sizeLimit = 16_384

    /// The value in a JSON text with its type; `nil` if the type is not clear, such as that of an empty list.
    ///
    /// - Parameters:
    ///   - name: the name of a structure.
    ///   - words: what names in the language cannot be.
    static func read(_ text: String, name: String, _ words: CodeWords) -> (shape: CodeShape, value: JSONValue)? {
        guard text.utf8.count <= sizeLimit, let value = try? JSONDocument(parsing: FlagText(text)).root else {
            return nil
        }
        return CodeShape(of: [value], name: name, words).map { ($0, value) }
    }

    /// The common type of values.
    private init?(of values: [JSONValue], name: String, _ words: CodeWords) {
        guard let kind = values.first?.kind, values.allSatisfy({ $0.kind == kind }) else { return nil }
        switch kind {
        case .null: return nil
        case .bool: self = .bool
        case .string: self = .text
        case .number:
            let isWhole = values.allSatisfy { FlagReading.int($0.source) != nil }
            guard isWhole || values.allSatisfy({ FlagReading.double($0.source) != nil }) else { return nil }
            self = isWhole ? .int : .double
        case .array:
            let elements = values.flatMap { Array($0.elements) }
            guard let element = CodeShape(of: elements, name: "\(name)Element", words) else { return nil }
            self = .array(of: element)
        case .object:
            guard let properties = Self.properties(of: values, within: name, words) else { return nil }
            self = .structure(name: name, properties)
        }
    }

    /// The properties for the members of all objects; `nil` if there is none, or the type of one is not clear.
    private static func properties(
        of objects: [JSONValue], within name: String, _ words: CodeWords
    ) -> [Property]? {
        var values: [FlagText: [JSONValue]] = [:]
        for object in objects {
            for (key, value) in object.members { values[key, default: []].append(value) }
        }
        let members = values.keys.sorted().map(\.string)
        // Swift would compare some different names as equal.
        guard 1...words.memberLimit ~= members.count, Set(members).count == members.count else { return nil }
        let names = CodeName.distinct(
            members.map { CodeName.member($0, prefix: "value") }, besides: words.members, suffix: "Value")
        let typeNames = words.typeNames(for: members, besides: Set(names + [name]))
        var properties: [Property] = []
        for (index, member) in members.enumerated() {
            let present = values[FlagText(member), default: []].filter { $0.kind != .null }
            guard let shape = CodeShape(of: present, name: typeNames[index], words) else { return nil }
            properties.append(
                Property(
                    name: names[index], member: member, shape: shape, isOptional: present.count < objects.count))
        }
        return properties
    }
}
