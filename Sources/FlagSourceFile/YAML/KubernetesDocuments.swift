import FlagFormats
import FlagModel

/// Finds the one document of flags among the resources of Kubernetes in a file.
enum KubernetesDocuments {
    /// The document of flags: the one in a config map, its data if that has no document, or else the only document that
    /// is not another resource.
    ///
    /// - Parameter documents: the JSON of each document in the file.
    static func document(in documents: [[UInt8]]) throws(DocumentError) -> [UInt8] {
        let documents = documents.flatMap(resources)
        guard documents.count != 1 || isResource(documents[0]) else { return documents[0] }
        var found: [(name: String, bytes: [UInt8])] = []
        for (index, bytes) in documents.enumerated() {
            // A document that is not JSON is reported when it is decoded.
            guard isResource(bytes), let root = try? JSONDocument(parsing: bytes).root else {
                found.append(("document \(index + 1)", bytes))
                continue
            }
            let isConfigMap =
                root["kind"].map { $0.text == "ConfigMap" }
                ?? (root["apiVersion"] != nil && root["metadata"]?.kind == .object)
            if isConfigMap, let data = root["data"], data.kind == .object {
                found += try self.documents(inDataOf: data)
            } else if root["spec"]?["flagSpec"] != nil {
                found.append(("document \(index + 1)", bytes))
            }
        }
        if documents.count == 1, found.isEmpty { return documents[0] }
        guard let first = found.first, found.count == 1 else {
            let names = found.prefix(5).map(\.name).joined(separator: ", ")
            throw .unknownShape(
                found.isEmpty
                    ? "the file has no document of flags; save a JSON object of keys and values"
                    : "the file has several documents (\(names)); save one of them as a file")
        }
        return first.bytes
    }

    /// The resources in a list, as `kubectl get -o json` writes it; any other document is returned alone.
    private static func resources(in document: [UInt8]) -> [[UInt8]] {
        guard isResource(document), let root = try? JSONDocument(parsing: document).root, root["kind"]?.text == "List",
            let items = root["items"], items.kind == .array
        else { return [document] }
        return items.elements.map { Array($0.source.utf8) }
    }

    /// Whether a document may be a resource: its version or its kind is among the first members.
    private static func isResource(_ bytes: [UInt8]) -> Bool {
        // A document of YAML begins with the lines of the file that are before it, which are empty.
        let start = String(decoding: bytes.drop { $0 == 0x20 || $0 == 0x0A }.prefix(200), as: UTF8.self)
        return start.split(separator: "\"").contains { $0 == "apiVersion" || $0 == "kind" }
    }

    private static func documents(
        inDataOf data: JSONValue
    ) throws(DocumentError) -> [(name: String, bytes: [UInt8])] {
        var found: [(name: String, bytes: [UInt8])] = []
        for (key, value) in data.members {
            guard let text = value.text?.string, isDocument(text, named: key.string, isOnly: data.count == 1) else {
                continue
            }
            let bytes = Array(text.utf8)
            do throws(DocumentError) {
                // A config map in a config map is not searched: it could be nested without end.
                for document in try DocumentFormat.documents(in: bytes, named: key.string) {
                    _ = try JSONDocument(document: document)
                    found.append((key.string, document))
                }
            } catch {
                throw .unknownShape("in the entry \(key.quoted), \(error.explained(by: bytes))")
            }
        }
        return found.isEmpty ? [("data", Array(data.source.utf8))] : found
    }

    /// - Parameter isOnly: whether the data has no other text. Beside others, a text in JSON may be the value of a flag.
    private static func isDocument(_ text: String, named name: String, isOnly: Bool) -> Bool {
        [".json", ".jsonc", ".yaml", ".yml"].contains { name.lowercased().hasSuffix($0) }
            || isOnly && text.trimmed.hasPrefix("{") && text.contains("\n")
    }
}
