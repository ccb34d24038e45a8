extension RandomAccessCollection where Index == Int {
    /// The index of the first element that satisfies `predicate`, by binary search; `endIndex` if there is none.
    ///
    /// All elements after the first match must satisfy the predicate, too.
    @inlinable
    package func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
