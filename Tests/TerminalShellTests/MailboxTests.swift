import TerminalShell
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite struct MailboxTests {
    private func isReadable(_ descriptor: Int32) -> Bool {
        var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&source, 1, 0) == 1
    }

    @Test func keepsOrderAndWakesWhileMessagesWait() {
        let mailbox = Mailbox<Int>()
        #expect(!isReadable(mailbox.descriptor))
        (1...1_000).forEach { mailbox.post($0) }
        #expect(isReadable(mailbox.descriptor))
        #expect(mailbox.drain() == Array(1...1_000))
        #expect(!isReadable(mailbox.descriptor))
        #expect(mailbox.drain() == [])
    }

    @Test func losesNothingFromManyThreads() async {
        let mailbox = Mailbox<Int>()
        var received: [Int] = []
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask { for number in 0..<500 { mailbox.post(writer * 500 + number) } }
            }
            while received.count < 4_000 {
                var source = pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)
                // Never readable again with messages left would hang here.
                if poll(&source, 1, 10_000) != 1 { break }
                received += mailbox.drain()
                await Task.yield()
            }
        }
        #expect(received.sorted() == Array(0..<4_000))
    }
}
