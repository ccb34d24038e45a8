import Foundation
import TerminalShell
import Testing

@Suite struct MailboxTests {
    private func isReadable(_ descriptor: Int32) -> Bool {
        var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&source, 1, 0) == 1
    }

    @Test func `messages stay in order and descriptor is readable until drained`() {
        let mailbox = Mailbox<Int>()
        #expect(!isReadable(mailbox.descriptor))
        (1...1_000).forEach { mailbox.post($0) }
        #expect(isReadable(mailbox.descriptor))
        #expect(mailbox.drain() == Array(1...1_000))
        #expect(!isReadable(mailbox.descriptor))
        #expect(mailbox.drain() == [])
    }

    @Test func `no message from many threads is lost`() {
        let mailbox = Mailbox<Int>()
        var received: [Int] = []
        // Threads, not tasks: this test blocks in poll, and its writers must not wait for a place in the task pool.
        for writer in 0..<8 {
            Thread.detachNewThread { for number in 0..<500 { mailbox.post(writer * 500 + number) } }
        }
        while received.count < 4_000 {
            var source = pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)
            // This would time out if the descriptor were not readable with messages left.
            if poll(&source, 1, 30_000) != 1 { break }
            received += mailbox.drain()
        }
        #expect(received.count == 4_000)
        #expect(Set(received) == Set(0..<4_000))
    }
}
