import FlagModel
import FlagRemote
import FlagTesting
import Testing

/// Requests to services.
@Suite(.timeLimit(.minutes(10)))
struct ExchangeTests {
    private let now = FlagTimestamp(seconds: 1_795_255_200)  // 2026-11-21T10:00:00Z, a Saturday

    @Test func `each HTTP error status has an error code, its own sentence and a remedy`() throws {
        let codes: [Int: SourceError.Code] = [
            302: .rejected, 400: .rejected, 401: .refused, 403: .refused, 404: .missing, 408: .timedOut, 413: .rejected,
            418: .rejected, 429: .rateLimited, 500: .faulty, 502: .faulty, 503: .faulty,
        ]
        var sentences: Set<String> = []
        for (status, code) in codes {
            let error = try #require(SourceError(SourceResponse(status: status), of: "flags", now: now))
            #expect(error.code == code && error.path == "flags" && error.retryAfter == nil, "\(status)")
            #expect(error.sentence.contains("(HTTP status \(status)); "), "\(error)")
            sentences.insert(error.sentence)
        }
        #expect(sentences.count == codes.count)
        for status in [200, 204, 304] {
            #expect(SourceError(SourceResponse(status: status), of: "flags", now: now) == nil)
        }
        let detailed = SourceError(SourceResponse(status: 400), of: "flags", now: now, detail: "no\u{1B}[31m key")
        #expect(detailed?.sentence.contains(#"says "no\u001B[31m key""#) == true, "\(String(describing: detailed))")
    }

    @Test(arguments: [
        ("0", Duration.zero), ("90", .seconds(90)), (" 7 ", .seconds(7)),
        ("999999999999999999999", .seconds(86_400)),
        ("Sat, 21 Nov 2026 10:01:00 GMT", .seconds(60)), ("Sat, 21 Nov 2026 09:00:00 GMT", .zero),
        ("2026-11-21T10:00:30Z", .seconds(30)), ("2026-11-21T11:00:30+01:00", .seconds(30)), ("3.5", nil),
        ("-1", nil), ("soon", nil), ("", nil), ("Sat, 31 Feb 2026 10:01:00 GMT", nil),
    ])
    func `Retry-After is read in all forms; invalid ones are ignored`(text: String, expected: Duration?) {
        #expect(RetryAfter.duration(text, now: now) == expected)
    }

    @Test(
        arguments: [
            ("max-age=60", nil, 60), ("public, Max-Age=\"10\"", nil, 10), ("max-age=60", "20", 40),
            ("max-age=60", "90", 0),
            ("max-age=60", "-5", 60), ("no-cache, max-age=60", nil, nil), ("no-store", nil, nil),
            ("max-age=-1", nil, nil),
            ("max-age=x", nil, nil), ("private", nil, nil), ("", nil, nil),
        ] as [(String, String?, Int64?)])
    func `the time that a response may be cached is that of Cache-Control, less the Age`(
        control: String, age: String?, seconds: Int64?
    ) {
        var headers = SourceHeaders([("Cache-Control", control)])
        if let age { headers["Age"] = age }
        #expect(headers.cacheAge?.components.seconds == seconds)
    }

    @Test(
        arguments: [
            (200, "", "an empty response (HTTP status 200)"), (204, "", "an empty response (HTTP status 204)"),
            (200, " \r\n", "an empty response"), (200, "<!DOCTYPE html><title>hush", "a web page instead of flags"),
            (200, "\u{FEFF}\n<HTML>hush", "a web page instead of flags"), (200, "{}", nil),
            (200, "<?xml ?><plist>", nil),
        ] as [(Int, String, String?)])
    func `an empty response and a web page are told apart from a malformed document`(
        status: Int, body: String, words: String?
    ) throws {
        let response = SourceResponse(status: status, body: Array(body.utf8))
        guard let words else {
            #expect(try FetchResult(response, since: nil, of: "flags") == .values(Array(body.utf8), version: nil))
            return
        }
        let error = #expect(throws: SourceError.self) { try FetchResult(response, since: nil, of: "flags") }
        #expect(error?.code == .malformed && error?.sentence.contains(words) == true, "\(String(describing: error))")
        #expect(error?.sentence.contains("hush") == false)
    }

    @Test func `HTTP dates survive writing and reading`() {
        #expect(HTTPDate.text(now) == "Sat, 21 Nov 2026 10:00:00 GMT")
        for seconds in stride(from: Int64(0), to: 3_000_000_000, by: 86_400 * 37 + 4_711) {
            let moment = FlagTimestamp(seconds: seconds)
            #expect(HTTPDate.timestamp(HTTPDate.text(moment)) == moment)
        }
    }

    private func error(_ code: SourceError.Code, _ retryAfter: Duration? = nil) -> SourceError {
        SourceError(code: code, path: "flags", sentence: "no", retryAfter: retryAfter)
    }

    @Test func `the retry policy retries only temporary errors, with a growing wait`() {
        let policy = RetryPolicy(attempts: 10)
        for code in [
            SourceError.Code.refused, .missing, .rejected, .malformed, .timedOut, .insecure, .cancelled, .tooLarge,
        ] {
            #expect(policy.wait(after: error(code), attempt: 1, random: 0.5) == nil)
        }
        let waits = (1...6).map { policy.wait(after: error(.unreachable), attempt: $0, random: 0.5) }
        #expect(waits == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(5)])
        #expect(policy.wait(after: error(.faulty), attempt: 1, random: 0) == .milliseconds(250))
        #expect(policy.wait(after: error(.faulty, .seconds(3)), attempt: 1, random: 0) == .seconds(3))
        #expect(policy.wait(after: error(.faulty, .seconds(6)), attempt: 1, random: 0) == nil)
        #expect(policy.wait(after: error(.rateLimited), attempt: 1, random: 0.5) == nil)
        #expect(policy.wait(after: error(.rateLimited, .seconds(1)), attempt: 1, random: 0.5) == .seconds(1))
        #expect(RetryPolicy.none.wait(after: error(.unreachable), attempt: 1, random: 0.5) == nil)
        #expect(policy.wait(after: error(.unreachable), attempt: 10, random: 0.5) == nil)
    }

    @Test func `the backoff doubles up to its limit; jitter does not exceed the limit`() {
        let half = Backoff(first: .seconds(2), longest: .seconds(9))
        #expect((0...5).map { half.wait(afterFailures: $0, random: 0.5) } == [2, 2, 4, 8, 9, 9].map { .seconds($0) })
        #expect(half.wait(afterFailures: 2, random: 0) == .seconds(2))
        #expect(half.wait(afterFailures: .max, random: 0) == .milliseconds(4_500))
        #expect(half.wait(afterFailures: .max, random: 0.9) == .seconds(9))
        #expect(Duration.milliseconds(8_250).secondsRoundedUp == 9 && Duration.seconds(8).secondsRoundedUp == 8)
    }

    @Test func `polling backs off while it fails, respects retryAfter, and is reset by a response`() {
        var schedule = PollSchedule(interval: .seconds(30))
        #expect(schedule.responded() == .seconds(30))
        let waits = (1...10).map { _ in schedule.failed(error(.faulty), random: 0.5).components.seconds }
        #expect(waits == [60, 120, 240, 480, 960, 1_920, 3_840, 7_680, 14_400, 14_400])
        #expect(schedule.responded() == .seconds(30))
        #expect(schedule.failed(error(.rateLimited, .seconds(900)), random: 0.5) == .seconds(900))
        #expect(schedule.responded() == .seconds(30))
        #expect(schedule.failed(error(.refused), random: 0.5) == .seconds(300))
        #expect(PollSchedule(interval: .zero).interval == .seconds(1))
        #expect(PollSchedule(interval: .seconds(Int64.max)).interval == .seconds(365 * 86_400))
        // A failure does not shorten an interval of 12 hours.
        var rarePolling = PollSchedule(interval: .seconds(43_200))
        #expect(
            (1...3).map { _ in rarePolling.failed(error(.faulty), random: 0) }
                == Array(repeating: .seconds(43_200), count: 3))
    }

    private func client(_ responses: [ScriptedTransport.Response]) -> (SourceClient, ScriptedTransport, ManualClock) {
        let (transport, clock) = (ScriptedTransport(responses), ManualClock())
        return (SourceClient(transport: transport, clock: clock.sourceClock), transport, clock)
    }

    private func request() throws -> SourceRequest {
        SourceRequest(source: "flags", url: try #require(SourceURL("https://flags.example.com/")))
    }

    @Test func `a temporary failure is retried; a lasting one fails after three requests`() async throws {
        let good = ScriptedTransport.Response.response(SourceResponse(status: 200, body: [1]))
        var (client, transport, clock) = client([
            .failure(.unreachable, "refused"), .response(SourceResponse(status: 503)), good,
        ])
        #expect(try await client.send(request()).body == [1])
        #expect(transport.requests.count == 3 && clock.waits == [.milliseconds(500), .seconds(1)])

        (client, transport, clock) = self.client([.response(SourceResponse(status: 500))])
        await #expect(throws: SourceError.self) { try await client.send(request()) }
        #expect(transport.requests.count == 3)

        (client, transport, clock) = self.client([.response(SourceResponse(status: 403)), good])
        await #expect(throws: SourceError.self) { try await client.send(request()) }
        #expect(transport.requests.count == 1 && clock.waits.isEmpty)
    }

    @Test func `a failure has the status of the last response, and only failed responses are searched for details`()
        async throws
    {
        let refused = ScriptedTransport.Response.response(SourceResponse(status: 503, body: [1]))
        let good = ScriptedTransport.Response.response(SourceResponse(status: 200, body: [2]))
        var (client, _, _) = client([refused, good, refused, .failure(.unreachable, "refused"), refused])
        client.retry = RetryPolicy(attempts: 2)
        let request = try request()
        var explained: [[UInt8]] = []
        func explain(_ response: SourceResponse) -> String? {
            explained.append(response.body)
            return "busy"
        }
        #expect(try await client.send(request, detail: explain).body == [2])
        #expect(explained == [[1]])
        let lost = await #expect(throws: SourceError.self) { try await client.send(request, detail: explain) }
        #expect(lost?.code == .unreachable && lost?.status == nil)
        let failed = await #expect(throws: SourceError.self) { try await client.send(request, detail: explain) }
        #expect(failed?.status == 503 && failed?.sentence.contains("busy") == true)
    }

    @Test func `cancelling the wait before a retry stops further requests and fails with cancelled`() async throws {
        let transport = ScriptedTransport([.failure(.unreachable, "refused")])
        let clock = SourceClock(
            now: { FlagTimestamp(seconds: 0) }, sleep: { _ in try await Task.sleep(for: .seconds(60)) }, random: { 0 })
        let client = SourceClient(transport: transport, clock: clock)
        let request = try request()
        let task = Task { () async -> SourceError? in
            do throws(SourceError) { _ = try await client.send(request) } catch { return error }
            return nil
        }
        while transport.requests.isEmpty { await Task.yield() }
        task.cancel()
        #expect(await task.value == .cancelled("flags"))
        #expect(transport.requests.count == 1)
    }
}
