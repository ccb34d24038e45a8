public import FlagModel

/// Decodes the flags of a response. A container has no catalog: all flags are Booleans in one category.
public enum CloudKitFlags {
    /// The category of all flags.
    public static let category: FlagText = "Flags"

    /// Decodes records, from a response of CloudKit or from the cache.
    ///
    /// - Throws: why the whole response cannot be used; a single unusable record is left out with a warning.
    public static func document(_ bytes: [UInt8], _ settings: CloudKitSettings) throws(DocumentError) -> RemoteDocument
    {
        var flags = EvaluatedFlags()
        var records: [CloudKitRecord] = []
        var indices: [FlagText: Int] = [:]
        for element in try CloudKitPage.root(of: bytes)["records"].map({ Array($0.elements) }) ?? [] {
            do throws(CloudKitRecord.Unusable) {
                guard let record = try CloudKitRecord(element, settings) else { continue }
                guard let index = indices[record.key] else {
                    indices[record.key] = records.count
                    records.append(record)
                    continue
                }
                settle(record, &records[index], &flags)
            } catch {
                flags.warn(error.sentence)
            }
        }
        for record in records {
            let item = FlagItem(key: record.key, options: FlagOption.booleans, declaredType: .bool)
            let note = record.modified > 0 ? "modified \(FlagTimestamp(seconds: record.modified / 1_000).rfc3339)" : nil
            flags.add(
                item, value: record.isActive ? "true" : "false", note: note.map { FlagText($0) }, category: category)
        }
        return RemoteDocument(flags)
    }

    /// Chooses the newer of two records with the same key, as CloudKit sends records in no order. Warns if their names
    /// differ. One record can appear twice if it changed while the pages were read.
    private static func settle(
        _ record: CloudKitRecord, _ current: inout CloudKitRecord, _ flags: inout EvaluatedFlags
    ) {
        let (loser, winner) = record.replaces(current) ? (current, record) : (record, current)
        current = winner
        guard winner.recordName != loser.recordName else { return }
        flags.warn(
            "the record \(JSONOutput.quoted(loser.recordName, limit: 60)) was left out: "
                + "\(JSONOutput.quoted(winner.recordName, limit: 60)) is newer and has the same "
                + "\(JSONOutput.quoted(winner.key.string, limit: 60))")
    }
}
