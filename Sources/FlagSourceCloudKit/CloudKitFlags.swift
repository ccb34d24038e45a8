public import FlagModel

/// Decodes the flags of a response. A container has no catalog: its flags form one category, all of them on or off.
public enum CloudKitFlags {
    /// The category of all flags.
    public static let category: FlagText = "Flags"

    /// Decodes records, as CloudKit sends them or as they are cached.
    ///
    /// - Throws: why the whole response cannot be used; a single unusable record is left out with a sentence.
    public static func document(_ bytes: [UInt8], _ settings: CloudKitSettings) throws(DocumentError) -> RemoteDocument
    {
        var flags = EvaluatedFlags()
        var records: [CloudKitRecord] = []
        var places: [FlagText: Int] = [:]
        for element in try CloudKitPage.root(of: bytes)["records"].map({ Array($0.elements) }) ?? [] {
            do throws(CloudKitRecord.Unusable) {
                guard let record = try CloudKitRecord(element, settings) else { continue }
                guard let place = places[record.key] else {
                    places[record.key] = records.count
                    records.append(record)
                    continue
                }
                settle(record, &records[place], &flags)
            } catch {
                flags.leaveOut(error.sentence)
            }
        }
        for record in records {
            let item = FlagItem(key: record.key, options: FlagOption.sides, declaredType: .bool)
            let note = record.modified > 0 ? "modified \(Timestamp(seconds: record.modified / 1_000).rfc3339)" : nil
            flags.add(
                item, value: record.isActive ? "true" : "false", note: note.map { FlagText($0) }, category: category)
        }
        return RemoteDocument(flags)
    }

    /// Settles two records for one key: CloudKit does not order them, so the newest counts. The same record twice is
    /// not a duplicate: it changed while its pages were read.
    private static func settle(_ record: CloudKitRecord, _ place: inout CloudKitRecord, _ flags: inout EvaluatedFlags) {
        let (loser, winner) = record.replaces(place) ? (place, record) : (record, place)
        place = winner
        guard winner.recordName != loser.recordName else { return }
        flags.leaveOut(
            "the record \(JSONOutput.quoted(loser.recordName, limit: 60)) was left out: "
                + "\(JSONOutput.quoted(winner.recordName, limit: 60)) is newer and has the same "
                + "\(JSONOutput.quoted(winner.key.string, limit: 60))")
    }
}
