extension RandomAccessCollection where Index == Int {
    /// The first index from which on a condition is true, for elements that are sorted by it; the end if it never is.
    @inlinable
    package func partitioningIndex(where holds: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
