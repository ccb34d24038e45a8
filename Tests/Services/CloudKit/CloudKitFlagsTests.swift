#if Network
import FlagModel
import FlagRemote
import FlagSourceCloudKit
import Testing

/// CloudKit: flags from records.
struct CloudKitFlagsTests {
    private func settings() throws -> CloudKitSettings {
        try CloudKitSettings(container: "iCloud.a", credentials: .apiToken(Secret("t")))
    }

    private func document(_ records: String) throws -> RemoteDocument {
        try CloudKitFlags.document(Array("{\"records\": [\(records)]}".utf8), settings())
    }

    private func record(_ name: String, _ isActive: String, more: String = "") -> String {
        #"{"recordName": "R-\#(name)", "fields": {"featureName": {"value": "\#(name)", "type": "STRING"}, "isActive": \#(isActive)}\#(more)}"#
    }

    /// The record is copied from Apple's reference.
    @Test func `a CloudKit record becomes a boolean flag`() throws {
        let document = try document(
            """
            {"recordName": "6C4F2B7E-0000", "recordType": "FeatureStatus", "recordChangeTag": "jx8v3q1a", "deleted": false,
              "fields": {"featureName": {"value": "new_ui", "type": "STRING"}, "isActive": {"value": 1, "type": "INT64"}},
              "pluginFields": {}, "created": {"timestamp": 1700000000000, "userRecordName": "_abc", "deviceID": "2"},
              "modified": {"timestamp": 1700000001000, "userRecordName": "_abc", "deviceID": "2"}}
            """)
        let snapshot = RemoteSnapshot(documents: [document])
        #expect(
            snapshot.values["new_ui"] == "true" && snapshot.type(of: "new_ui") == .bool && snapshot.issues.isEmpty)
        #expect(snapshot.catalog.item("new_ui")?.options.map(\.value) == ["true", "false"])
        #expect(snapshot.catalog.categories.map(\.name) == ["Flags"])
        #expect(snapshot.note(of: "new_ui") == "modified 2023-11-14T22:13:21Z")
    }

    @Test(
        arguments: [
            (#"{"value": 0, "type": "INT64"}"#, "false"), (#"{"value": 1, "type": "INT64"}"#, "true"),
            (#"{"value": -7, "type": "INT64"}"#, "true"), (#"{"value": "1", "type": "INT64"}"#, "true"),
            (#"{"value": "0", "type": "INT64"}"#, "false"), (#"{"value": 1}"#, "true"), (#"{"value": true}"#, "true"),
            (#"{"value": false, "type": "INT64"}"#, "false"),
        ])
    func `an integer, as a number or as text, or a boolean turns a flag on or off`(field: String, value: String) throws
    {
        let document = try document(record("f", field))
        #expect(document.values["f"]?.string == value && document.issues.isEmpty)
    }

    @Test(
        arguments: [
            #"{"value": 1.5, "type": "DOUBLE"}"#, #"{"value": 1700000000000, "type": "TIMESTAMP"}"#,
            #"{"value": "1", "type": "STRING"}"#, #"{"value": "yes", "type": "INT64"}"#, #"{"value": "1"}"#,
            #"{"value": [1], "type": "INT64_LIST"}"#, #"{"value": null, "type": "INT64"}"#, "{}", "1", "null",
            #"{"value": 1e3, "type": "INT64"}"#,
        ])
    func `a flag whose active field has another type is left out`(field: String) throws {
        let document = try document(record("f", field))
        #expect(document.values.isEmpty)
        #expect(
            document.issues.map(\.description) == [
                #"the flag "f" was left out: its field "isActive" is not an integer"#
            ])
    }

    @Test
    func `records without a flag name and failed records are left out with an issue, deleted records without an issue`()
        throws
    {
        let on = #"{"value": 1, "type": "INT64"}"#
        let document = try document(
            """
            {"recordName": "a", "fields": {"isActive": \(on)}}, {"recordName": "b", "fields": {"featureName": {"value": 3, "type": "INT64"}, "isActive": \(on)}},
            {"recordName": "c", "fields": {"featureName": {"value": "", "type": "STRING"}, "isActive": \(on)}}, 3, {},
            {"recordName": "d", "fields": {"featureName": {"value": "bmFtZQ==", "type": "BYTES"}, "isActive": \(on)}},
            {"recordName": "e", "reason": "no\\u001b[2J", "serverErrorCode": "ACCESS_DENIED", "uuid": "u"},
            \(record("gone", on, more: #", "deleted": true"#)), {"recordName": "gone2", "deleted": true}, \(record("good", on))
            """)
        #expect(Array(document.values.keys) == ["good"])
        let sentences = document.issues.map(\.description)
        #expect(sentences.count == 7, "\(sentences)")
        #expect(sentences[0] == #"the record "a" was left out: it has no text in the field "featureName""#)
        #expect(sentences[3].hasPrefix("a record without a name was left out") && sentences[5].contains(#""d""#))
        #expect(
            sentences[6] == #"the record "e" was left out: CloudKit did not return it (ACCESS_DENIED, "no\u001B[2J")"#)
    }

    @Test func `of two records for one key the last modified wins; the same record twice is not an issue`() throws {
        func twin(_ name: String, _ value: Int, _ moment: Int) -> String {
            #"{"recordName": "\#(name)", "fields": {"featureName": {"value": "f"}, "isActive": {"value": \#(value)}}, "modified": {"timestamp": \#(moment)}}"#
        }
        for records in [[twin("a", 1, 2_000), twin("b", 0, 1_000)], [twin("b", 0, 1_000), twin("a", 1, 2_000)]] {
            let document = try document(records.joined(separator: ","))
            #expect(document.values["f"] == "true")
            #expect(
                document.issues.map(\.description) == [
                    #"the record "b" was left out: "a" is newer and has the same "f""#
                ])
        }
        let moved = try document([twin("a", 1, 1_000), twin("a", 0, 2_000)].joined(separator: ","))
        #expect(moved.values["f"] == "false" && moved.issues.isEmpty)
    }

    @Test func `configured field names and a key prefix are used`() throws {
        var settings = try settings()
        (settings.nameField, settings.activeField, settings.keyPrefix) = ("title", "on", "shop.")
        func record(_ key: String) -> String {
            #"{"recordName": "r", "fields": {"title": {"value": "\#(key)"}, "on": {"value": 1}}}"#
        }
        let text = "{\"records\": [\(record("shop.a")), \(record("other.a"))]}"
        let document = try CloudKitFlags.document(Array(text.utf8), settings)
        #expect(Array(document.values.keys) == ["shop.a"] && document.issues.isEmpty)
    }

    @Test(
        arguments: [
            "", "[]", "{}", #"{"records": {}}"#, #"{"records": [{"#, "<html>", #"{"serverErrorCode": "THROTTLED"}"#,
        ])
    func `a response that is not a query result is rejected`(text: String) throws {
        let settings = try settings()
        #expect(throws: DocumentError.self) { try CloudKitFlags.document(Array(text.utf8), settings) }
    }

    @Test func `a database without flags gives a document without values`() throws {
        #expect(try document("").values.isEmpty)
    }
}
#endif
