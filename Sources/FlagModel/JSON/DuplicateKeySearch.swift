/// Counts the members of a container at its closing bracket, and rejects duplicate keys. Compares the keys after
/// decoding escapes.
struct DuplicateKeySearch {
    /// The maximum number of keys for which comparing all pairs is faster than hashing.
    private static let pairwiseLimit = 8
    /// The node indices of the keys of the last counted container. The array is reused, to avoid allocations.
    private var keys: [Int] = []

    /// Collects the keys of `container`, the last container in `nodes`, and returns the number of its elements or
    /// members.
    mutating func countMembers(
        of container: Int, isObject: Bool, _ nodes: [JSONNode], _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Int {
        keys.removeAll(keepingCapacity: true)
        var index = container + 1
        var count = 0
        while index < nodes.count {
            if isObject {
                keys.append(index)
                index += 1
            }
            index = Self.next(after: index, nodes, bytes)
            count += 1
        }
        return count
    }

    /// Throws if the container that was counted last has a duplicate key.
    func refuseDuplicates(_ nodes: [JSONNode], _ text: TextBytes) throws(JSONFault) {
        let isSmall = keys.count <= Self.pairwiseLimit
        guard let duplicate = isSmall ? searchPairs(nodes, text) : searchHashed(nodes, text) else { return }
        let key = text.string(nodes[duplicate]).quoted
        throw JSONFault(offset: Int(nodes[duplicate].offset), issue: "duplicate key \(key)")
    }

    /// The index of the node after the value at `index`, which may be a container with its contents.
    @inline(__always)
    static func next(after index: Int, _ nodes: [JSONNode], _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let node = nodes[index]
        let byte = bytes[Int(node.offset)]
        return byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") ? Int(node.extent) + 1 : index + 1
    }

    private func searchPairs(_ nodes: [JSONNode], _ text: TextBytes) -> Int? {
        for second in keys.indices.dropFirst() {
            for first in 0..<second where Self.isSame(nodes[keys[first]], nodes[keys[second]], text) {
                return keys[second]
            }
        }
        return nil
    }

    private func searchHashed(_ nodes: [JSONNode], _ text: TextBytes) -> Int? {
        var index = KeyIndex(minimumCapacity: keys.count)
        for key in keys {
            let hash = text.string(nodes[key]).keyHash
            if index.position(hash: hash, where: { Self.isSame(nodes[$0], nodes[key], text) }) != nil { return key }
            index.insert(key, hash: hash) { text.string(nodes[$0]).keyHash }
        }
        return nil
    }

    private static func isSame(_ left: JSONNode, _ right: JSONNode, _ text: TextBytes) -> Bool {
        if !left.hasEscapes, !right.hasEscapes, left.length != right.length { return false }
        return text.string(left) == text.string(right)
    }
}
