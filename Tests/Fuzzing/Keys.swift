import TerminalUI

/// No input blocks the keyboard: after a time without input, a letter is a key.
func fuzz(_ bytes: [UInt8]) {
    var decoder = KeyDecoder()
    (decoder.expectsMouse, decoder.expectsReplies) = (bytes.count.isMultiple(of: 2), bytes.count.isMultiple(of: 3))
    for byte in bytes { _ = decoder.feed(byte == 0xFF ? .pasteStart : .byte(byte)) }
    _ = decoder.drainReplies()
    if decoder.idleLimit != nil { _ = decoder.giveUp() }
    require(decoder.idleLimit == nil, "a sequence does not end")
    require(decoder.feed(.byte(UInt8(ascii: "q"))) == [.character("q")], "a letter is no key")
}
