#if Network
import FlagModel
import FlagRemote

/// A query that a loopback server has parsed: record type, equality filters, and page.
struct CloudKitQuery {
    let recordType: String
    /// The wanted text of each field.
    private let filters: [String: String]
    private let desiredKeys: [String]?
    private let limit: Int
    private let marker: String?
    private let writesNumbersAsStrings: Bool
    private let text: String

    /// Parses the body of a request; `nil` if it is not a query, or has filters other than equality.
    init?(_ root: JSONValue) {
        guard let query = root["query"], let type = query["recordType"]?.text?.string else { return nil }
        recordType = type
        var filters: [String: String] = [:]
        for filter in query["filterBy"].map({ Array($0.elements) }) ?? [] {
            guard filter["comparator"]?.text == "EQUALS", let field = filter["fieldName"]?.text?.string,
                let value = filter["fieldValue"]?["value"]?.flagText?.string
            else { return nil }
            filters[field] = value
        }
        self.filters = filters
        desiredKeys = root["desiredKeys"].map { $0.elements.compactMap { $0.text?.string } }
        limit = root["resultsLimit"].flatMap { Int($0.source) } ?? .max
        marker = root["continuationMarker"]?.text?.string
        writesNumbersAsStrings = root["numbersAsStrings"]?.bool ?? false
        text = query.flagText?.string ?? ""
        guard limit > 0 else { return nil }
    }

    /// The response; `nil` if the marker belongs to another query.
    func page(of records: [LoopbackCloudKit.Record], recordType: String, limit serverLimit: Int) -> JSONOutput? {
        let matching = records.filter(matches)
        guard let start = start(matching.count) else { return nil }
        let end = min(matching.count, start + min(limit, serverLimit))
        let page: JSONOutput = ["records": .array(matching[start..<end].map { json(of: $0, recordType) })]
        return page.adding(end < matching.count ? ["continuationMarker": .string(marker(end))] : nil)
    }

    private func start(_ count: Int) -> Int? {
        guard let marker else { return 0 }
        return (0...count).first { self.marker($0) == marker }
    }

    private func marker(_ start: Int) -> String { "\(start) \(StableHash.text(text))" }

    private func matches(_ record: LoopbackCloudKit.Record) -> Bool {
        let fields = (try? JSONDocument(parsing: Array(record.fields.utf8)))?.root
        return filters.allSatisfy { fields?[$0.key]?["value"]?.flagText?.string == $0.value }
    }

    private func json(of record: LoopbackCloudKit.Record, _ type: String) -> JSONOutput {
        [
            "recordName": .string(record.name), "recordType": .string(type), "fields": fields(of: record),
            "modified": ["timestamp": .integer(Int(record.modified)), "userRecordName": "_hushuser"],
            "deleted": .bool(record.isDeleted),
        ]
    }

    private func fields(of record: LoopbackCloudKit.Record) -> JSONOutput {
        guard let fields = (try? JSONDocument(parsing: Array(record.fields.utf8)))?.root else { return .object([]) }
        let requested = fields.members.filter { desiredKeys?.contains($0.key.string) ?? true }
        return .object(requested.map { ($0.key.string, field($0.value)) })
    }

    /// A field as JSON. A number is sent as a string if the query requests numbers as strings.
    private func field(_ field: JSONValue) -> JSONOutput {
        let members = field.members.map { member in
            let isNumber = writesNumbersAsStrings && member.value.kind == .number
            return (member.key.string, isNumber ? JSONOutput.string(member.value.source) : .raw(member.value.source))
        }
        return members.isEmpty ? .raw(field.source) : .object(members)
    }
}
#endif
