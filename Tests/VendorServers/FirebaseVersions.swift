#if Network
import FlagModel

/// The versions of one template.
struct FirebaseVersions {
    /// The origin of a version.
    struct Origin {
        var origin = "REST_API"
        var type = "INCREMENTAL_UPDATE"
        var details: String?
        var rollbackSource: Int?
    }

    /// One version.
    struct Version {
        let number: Int
        /// The template without its version.
        let text: String
        let moment: FlagTimestamp
        let origin: Origin

        /// The entry in the list of versions.
        var json: JSONOutput {
            var members: [(String, JSONOutput)] = [
                ("versionNumber", .string(String(number))), ("updateTime", .string(moment.rfc3339)),
                ("updateUser", .object([("email", .string("somebody@example.com"))])),
                ("updateOrigin", .string(origin.origin)), ("updateType", .string(origin.type)),
            ]
            if let details = origin.details { members.append(("description", .string(details))) }
            if let source = origin.rollbackSource { members.append(("rollbackSource", .string(String(source)))) }
            return .object(members)
        }

        /// The template as sent in a response.
        ///
        /// - Parameter members: the sent members; `nil` for all.
        func template(_ members: [String]? = nil) -> String {
            let root = (try? JSONDocument(parsing: Array(text.utf8)))?.root
            let all = (root?.members).map { Array($0) } ?? []
            return JSONOutput.object(
                all.filter { member in
                    member.key != "version" && members.map { $0.contains(member.key.string) } ?? true
                }.map { ($0.key.string, .raw($0.value.source)) } + [("version", json)]
            ).text()
        }
    }

    /// All versions, the oldest first.
    private(set) var all: [Version] = []

    /// The current version; `nil` if there is none.
    var newest: Version? { all.last }

    /// Adds a version and returns it.
    @discardableResult
    mutating func add(_ text: String, at moment: FlagTimestamp, _ origin: Origin) -> Version {
        let version = Version(number: (newest?.number ?? 0) + 1, text: text, moment: moment, origin: origin)
        all.append(version)
        return version
    }
}

/// Firebase's validation of a template, limited to errors that publishing values can cause.
enum FirebaseValidation {
    /// Why the template is rejected, as a sentence; `nil` if it is valid.
    static func rejection(to template: JSONValue) -> String? {
        guard template.kind == .object else { return "the template is no object" }
        var names: Set<FlagText> = []
        for condition in template["conditions"].map({ Array($0.elements) }) ?? [] {
            guard let name = condition["name"]?.text, !name.isEmpty,
                condition["expression"] != nil || condition["condition"] != nil
            else { return "a condition has no name or no rule" }
            guard names.insert(name).inserted else { return "the condition \(name.quoted) is a duplicate" }
        }
        var keys: Set<FlagText> = []
        let groups = template["parameterGroups"].map { $0.members.compactMap { $0.value["parameters"] } } ?? []
        for (key, parameter) in ([template["parameters"]].compactMap { $0 } + groups).flatMap({ Array($0.members) }) {
            guard keys.insert(key).inserted else { return "the parameter \(key.quoted) is a duplicate" }
            if let words = rejection(to: parameter, key, names) { return words }
        }
        return nil
    }

    private static func rejection(to parameter: JSONValue, _ key: FlagText, _ names: Set<FlagText>) -> String? {
        let bytes = key.string.utf8
        let isName =
            bytes.count <= 256 && bytes.first.map { !(0x30...0x39 ~= $0) } == true
            && bytes.allSatisfy { byte in
                byte == UInt8(ascii: "_") || 0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
            }
        guard isName else { return "the key \(key.quoted) is none" }
        let conditional = parameter["conditionalValues"].map { Array($0.members) } ?? []
        if let unknown = conditional.first(where: { !names.contains($0.key) }) {
            return "\(key.quoted) refers to the condition \(unknown.key.quoted), which is not defined"
        }
        for value in [parameter["defaultValue"]].compactMap({ $0 }) + conditional.map(\.value) {
            guard let text = value["value"] else { continue }
            guard let text = text.text?.string else { return "a value of \(key.quoted) is no string" }
            if parameter["valueType"]?.text == "BOOLEAN", !["true", "false"].contains(text) {
                return "a value of \(key.quoted) is no BOOLEAN"
            }
        }
        return nil
    }
}
#endif
