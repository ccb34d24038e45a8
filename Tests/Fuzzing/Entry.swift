/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzerInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    fuzz(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

/// Ends the run with a sentence, also in an optimised build, where `precondition` says nothing.
func require(_ isTrue: Bool, _ sentence: String) {
    if !isTrue { fatalError(sentence) }
}
