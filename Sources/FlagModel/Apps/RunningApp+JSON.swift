// The announcement as JSON. Readers ignore members that they do not know, so that newer apps can add some.
extension RunningApp {
    /// The text of the announcement: an object with a last member `flags`, which has a line for each flag.
    ///
    /// - Parameter flags: the members of ``flags``, each from ``DeclaredFlag/json``; they are encoded by the caller, who
    ///   encodes only those that have changed.
    package func text(flags: [String]) -> String {
        let head = JSONOutput.object([("format", .integer(Self.format))] + ownMembers).text(indented: false).dropLast()
        return "\(head),\"flags\":[" + flags.map { "\n\($0)" }.joined(separator: ",") + "\n]}\n"
    }

    /// The members of the app as JSON, for scripts.
    package var members: [(String, JSONOutput)] { ownMembers + [("flags", .array(flags.map(\.json)))] }

    /// The word for fetched values that become active at the next start; other apps name no activation.
    private static let nextLaunch = "nextLaunch"

    private var ownMembers: [(String, JSONOutput)] {
        var members: [(String, JSONOutput)] = [
            ("id", .string(id)), ("name", .string(name)), ("process", .integer(Int(process))),
            ("startedAt", .integer(Int(startedAt))),
            ("ignoredOverrides", ignoredOverrides.map(JSONOutput.integer) ?? .null),
            ("overrideFolder", overrideFolder.map(JSONOutput.string) ?? .null),
        ]
        if let revision { members.append(("revision", .integer(revision))) }
        if activatesAtLaunch { members.append(("activation", .string(Self.nextLaunch))) }
        if hasSources { members.append(("hasSources", .bool(true))) }
        if !clients.isEmpty { members.append(("clients", .array(clients.map(\.json)))) }
        return members
    }

    /// Reads an announcement.
    ///
    /// - Throws: why the text is not an announcement, as the end of a sentence.
    package init(parsing bytes: [UInt8]) throws(InvalidText) {
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument(parsing: bytes).root
        } catch {
            throw InvalidText(sentence: "it is not JSON: \(error.description)")
        }
        guard let format = root["format"]?.wholeNumber else {
            throw InvalidText(sentence: "it has no \"format\"")
        }
        guard format == Self.format else {
            throw InvalidText(sentence: "its format \(format) is not known to this version; update FlagMenu")
        }
        guard let id = root["id"]?.text?.string, let name = root["name"]?.text?.string,
            let process = root["process"]?.wholeNumber.flatMap(Int32.init(exactly:)),
            let startedAt = root["startedAt"]?.milliseconds, let flags = root["flags"], flags.kind == .array
        else { throw InvalidText(sentence: "it lacks an id, a name, a process, a start or flags") }
        self.init(
            id: id, name: name, process: process, startedAt: startedAt,
            ignoredOverrides: root["ignoredOverrides"]?.wholeNumber,
            overrideFolder: root["overrideFolder"]?.text?.string, revision: root["revision"]?.wholeNumber,
            activatesAtLaunch: root["activation"]?.text?.string == Self.nextLaunch,
            hasSources: root["hasSources"]?.bool ?? false,
            flags: flags.elements.compactMap(DeclaredFlag.init),
            clients: root["clients"]?.elements.compactMap(Client.init) ?? [])
    }
}

extension RunningApp.Client {
    /// Reads a client; `nil` if it lacks a name or a time.
    fileprivate init?(_ json: JSONValue) {
        guard let name = json["name"]?.text?.string, let firstAt = json["firstAt"]?.milliseconds,
            let lastAt = json["lastAt"]?.milliseconds
        else { return nil }
        self.init(
            name: name, firstAt: firstAt, lastAt: lastAt, allAt: json["allAt"]?.milliseconds,
            hasOwnOverrides: json["ownOverrides"]?.bool ?? false,
            flags: json["flags"]?.elements.compactMap(DeclaredFlag.init) ?? [])
    }

    fileprivate var json: JSONOutput {
        .object([
            ("name", .string(name)), ("firstAt", .integer(Int(firstAt))), ("lastAt", .integer(Int(lastAt))),
            ("allAt", allAt.map { .integer(Int($0)) } ?? .null), ("ownOverrides", .bool(hasOwnOverrides)),
            ("flags", .array(flags.map(\.json))),
        ])
    }
}

extension DeclaredFlag {
    /// Reads a declaration; `nil` if it lacks a key or a known type.
    package init?(_ json: JSONValue) {
        guard let key = json["key"]?.text?.string,
            let type = json["type"]?.text.flatMap({ FlagType(rawValue: $0.string) })
        else { return nil }
        func text(_ name: String) -> String? { json[name]?.text?.string }
        self.init(
            key: key, type: type, defaultValue: text("default"),
            facts: Facts(
                title: text("title"), description: text("description"), group: text("group"), owner: text("owner"),
                expires: text("expires"), needsRestart: json["restart"]?.bool ?? false,
                options: json["options"]?.elements.compactMap { $0.text?.string } ?? []),
            use: json["use"].flatMap(FlagUse.init))
    }

    /// The declaration as JSON, without members that are not set.
    package var json: JSONOutput {
        .object(present: [
            ("key", .string(key)), ("type", .string(type.rawValue)), ("default", defaultValue.map(JSONOutput.string)),
            ("title", facts.title.map(JSONOutput.string)), ("description", facts.description.map(JSONOutput.string)),
            ("group", facts.group.map(JSONOutput.string)), ("owner", facts.owner.map(JSONOutput.string)),
            ("expires", facts.expires.map(JSONOutput.string)), ("restart", facts.needsRestart ? .bool(true) : nil),
            ("options", facts.options.isEmpty ? nil : .array(facts.options.map(JSONOutput.string))),
            ("use", use?.json),
        ])
    }
}

extension FlagUse {
    /// Reads the use of a flag; `nil` if it lacks a layer or a time.
    package init?(_ json: JSONValue) {
        guard let layer = json["layer"]?.text.flatMap({ text in FlagLayer.allCases.first { $0.word == text.string } }),
            let since = json["since"]?.milliseconds
        else { return nil }
        self.init(
            value: json["value"]?.text?.string, layer: layer, remoteValue: json["remoteValue"]?.text?.string,
            since: since,
            readAt: json["readAt"]?.milliseconds, wasRead: json["wasRead"]?.bool ?? false,
            firstValue: json["firstValue"]?.text?.string, rejection: json["rejection"]?.text?.string,
            rejectedValue: json["rejectedValue"]?.text?.string)
    }

    /// The use as JSON, without members that are not set.
    package var json: JSONOutput {
        .object(present: [
            ("value", value.map(JSONOutput.string)), ("layer", .string(layer.word)),
            ("remoteValue", remoteValue.map(JSONOutput.string)), ("since", .integer(Int(since))),
            ("readAt", readAt.map { .integer(Int($0)) }), ("wasRead", .bool(wasRead)),
            ("firstValue", firstValue.map(JSONOutput.string)), ("rejection", rejection.map(JSONOutput.string)),
            ("rejectedValue", rejectedValue.map(JSONOutput.string)),
        ])
    }
}

extension JSONValue {
    /// A time in milliseconds since 1970 UTC, at most in the year 9999; `nil` for anything else. Such times can be
    /// subtracted without an overflow.
    fileprivate var milliseconds: Int64? {
        wholeNumber.flatMap { (0...253_402_300_799_000).contains($0) ? Int64($0) : nil }
    }
}
