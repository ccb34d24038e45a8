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
    func refuseDuplicates(_ nodes: [JSONNode], _ bytes: UnsafeBufferPointer<UInt8>) throws(JSONFault) {
        let isSmall = keys.count <= Self.pairwiseLimit
        guard let duplicate = isSmall ? searchPairs(nodes, bytes) : searchHashed(nodes, bytes) else { return }
        let key = JSONOutput.quoted(String(decoding: Self.text(nodes[duplicate], bytes), as: UTF8.self), limit: 60)
        throw JSONFault(offset: Int(nodes[duplicate].offset), issue: "duplicate key \(key)")
    }

    /// The index of the node after the value at `index`, which may be a container with its contents.
    @inline(__always)
    static func next(after index: Int, _ nodes: [JSONNode], _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let node = nodes[index]
        let byte = bytes[Int(node.offset)]
        return byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") ? Int(node.extent) + 1 : index + 1
    }

    private func searchPairs(_ nodes: [JSONNode], _ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        for second in keys.indices.dropFirst() {
            for first in 0..<second where Self.isSame(nodes[keys[first]], nodes[keys[second]], bytes) {
                return keys[second]
            }
        }
        return nil
    }

    private func searchHashed(_ nodes: [JSONNode], _ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var index = KeyIndex(minimumCapacity: keys.count)
        for key in keys {
            let hash = Self.hash(nodes[key], bytes)
            if index.position(hash: hash, where: { Self.isSame(nodes[$0], nodes[key], bytes) }) != nil { return key }
            index.insert(key, hash: hash) { Self.hash(nodes[$0], bytes) }
        }
        return nil
    }

    private static func hash(_ node: JSONNode, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        node.hasEscapes
            ? text(node, bytes).withUnsafeBufferPointer { $0.seededHash } : raw(node, bytes).seededHash
    }

    private static func isSame(_ left: JSONNode, _ right: JSONNode, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard left.hasEscapes || right.hasEscapes else { return raw(left, bytes).isEqual(to: raw(right, bytes)) }
        return text(left, bytes) == text(right, bytes)
    }

    private static func raw(_ node: JSONNode, _ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        bytes.part(Int(node.offset) + 1, node.length)
    }

    private static func text(_ node: JSONNode, _ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        JSONEscapes.decoded(raw(node, bytes))
    }
}
