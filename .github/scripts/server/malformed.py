"""Requests that no well-behaved client sends, from a seeded random generator."""
import random

KEYS = ["new_checkout", "theme_color", "ads%2Ftop", "nope"]
TRICKS = r"""% %2 %zz %00 %0d%0aX:%20y %C0%AF %ff%fe %u0041 %25%32%66 %2e %2e%2e . .. ... %F0%9F %ed%a0%80 a%20b a+b \ ' "
    <script> {} ~ ; : @ * é ~root con - -- %2F %2F%2F %5C %09 %7F ? # & = %3F %23""".split()
TRICKS += ["\u202e", "x" * 5_000, "%41" * 2_000]
TRAVERSALS = r"""/../../../../etc/passwd /..%2f..%2f..%2fetc%2fpasswd /%2e%2e/%2e%2e/etc/passwd //etc/passwd
    /page.js/../../etc/passwd /..\..\etc\passwd /....//....//etc/passwd /%252e%252e/etc/passwd /./././server.json
    /overrides.json /page.js%00.html /api/v1/../../etc/passwd /api/v1/flags/..%2f..%2fserver.json /.git/config
    /Page/index.html""".split()
METHODS = [*"TRACE CONNECT PATCH OPTIONS HEAD get PRI PROPFIND M-SEARCH BREW".split(), "G E T", "", "A" * 999, "G\x00T"]


class Malformed:
    """Makes requests as bytes. Those that reach the code for writing have the token, and no body that is valid."""

    def __init__(self, host, token, seed):
        self.random, self.host, self.token = random.Random(seed), host, token
        self.kinds = [self.noise, self.noise_in_head, self.chunks, self.lengths, self.large_head, self.bodies,
            self.evaluations, self.methods, self.targets, self.traversals, self.keys, self.queries, self.versions,
            self.hosts, self.fields, self.pipeline]

    def next(self): return self.random.choice(self.kinds)()

    def pick(self, choices): return self.random.choice(choices)

    def bytes(self, limit): return self.random.randbytes(self.random.randint(1, limit))

    def head(self, method="GET", target="/api/v1/status", *fields, version="HTTP/1.1", host=None):
        lines = [f"{method} {target} {version}", *([] if host == "" else [f"Host: {host or self.host}"]), *fields, "", ""]
        return "\r\n".join(lines).encode(errors="surrogateescape")

    def write(self, *fields, target="/api/v1/overrides/new_checkout"):
        return self.head("PUT", target, f"Authorization: Bearer {self.token}", *fields)

    def noise(self): return self.bytes(2_000)

    def noise_in_head(self):
        head = bytearray(self.head("GET", f"/api/v1/flags/{self.pick(KEYS)}", "Accept: */*", "X-Test: 1"))
        for _ in range(self.random.randint(1, 10)): head[self.random.randrange(len(head))] = self.random.randrange(256)
        return bytes(head)

    def chunks(self):
        chunk = self.pick([b"zz\r\n{}\r\n0\r\n\r\n", b"FFFFFFFFFFFFFFFFF\r\n{}", b"-1\r\n{}\r\n0\r\n\r\n",
            b"2{}\r\n0\r\n\r\n", b"5\r\n{}\r\n0\r\n\r\n", b"2\r\n{}", b"0\r\n", b"2\n{}\n0\n\n",
            b"2;x=" + b"y" * 20_000 + b"\r\n{}\r\n0\r\n\r\n", b"0x2\r\n{}\r\n0\r\n\r\n",
            b"2\r\n{}\r\n0\r\nX: " + b"y" * 20_000 + b"\r\n\r\n", b"1\r\n{\r\n" * 3 + b"0\r\n\r\n", b"7fffffff\r\n{}",
            self.bytes(300)])
        return self.write(
            f"Transfer-Encoding: {self.pick(['chunked', 'chunked', 'gzip, chunked', 'x', 'chunked, identity'])}") + chunk

    def lengths(self):
        fields = self.pick([["Content-Length: 2", "Content-Length: 3"], ["Content-Length: -1"],
            ["Content-Length: 99999999999999999999"], ["Content-Length: 9223372036854775807"], ["Content-Length: 1,2"],
            ["Content-Length: 0x2"], ["Content-Length: "], ["Content-Length: 2", "Transfer-Encoding: chunked"],
            ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"], ["Content-Length : 2"],
            ["Content-Length: 2", "content-length: 2"], ["Content-Length: 1000"], ["Content-Length: 1e1"]])
        return self.write(*fields) + self.pick([b"{}", b"", b"0\r\n\r\n", b"{\"value\":"])

    def large_head(self):
        return self.pick([self.head("GET", "/" + "a" * 100_000), self.head("GET", "/api/v1/flags", "X: " + "a" * 100_000),
            self.head("GET", "/", *[f"X-{number}: y" for number in range(5_000)]), self.head("GET", "/?" + "a=b&" * 20_000),
            self.head("GET", "/", *["Cookie: flagmenu-session=" + "x" * 8_000] * 3),
            b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20_000, b"A" * 200_000, b"\r\n" * 50_000,
            self.head("GET", "/api/v1/flags?client=" + "x" * 15_000)])

    def json(self):
        deep = self.random.choice([100, 127, 128, 129, 1_000, 15_000])
        return self.pick([b"", b"{", b"[]", b"null", b"\"x\"", b"{\"value\"", b"{\"value\":}", b"{\"value\":null}",
            b"{\"value\":\"\xff\xfe\"}", b"{\"value\":\"\x00\"}", b"{\"value\":\"\\ud800\"", b"{\"value\":1,\"value\":2}",
            b"{\"value\":NaN}", b"{\"value\":01}", b"{\"value\":\"a\nb\"}", b"{'value':1}", b"\xef\xbb\xbf\xef\xbb\xbf{}",
            b"{\"value\":1}x", b"{\"value\":1e}", b"{\"any\":1,\"value\":\"true\"}", b"\xff\xfe{\x00}\x00", b"[" * deep,
            b"{\"value\":" * deep, b"{\"value\":" + b"[" * 200 + b"]" * 200 + b"}", b"{\"value\":\"" + b"x" * 30_000,
            self.bytes(500)])

    def bodies(self):
        body, query = self.json(), self.pick(["", "?client=ana", f"?client={self.pick(TRICKS)}"])
        target = f"/api/v1/overrides/{self.pick(KEYS)}{query}"
        return self.write(f"Content-Length: {len(body)}", target=target) + body

    def evaluations(self):
        body = self.pick([b"{\"context\":1}", b"{\"context\":null}", b"{\"context\":{\"targetingKey\":1}}",
            b"{\"context\":{\"targetingKey\":\"\\u0000\"}}", b"{\"context\":{\"targetingKey\":\"" + b"x" * 20_000 + b"\"}}",
            b"{\"context\":{\"a\":1e400}}", b"{\"context\":{\"a\":" + b"[" * 100 + b"]" * 100 + b"}}",
            b"{\"context\":{" + b",".join(b"\"a%d\":%d" % (number, number) for number in range(3_000)) + b"}}",
            b"{\"context\":{},\"context\":{}}", b"{\"context\":{\"\":\"\",\"\xc3\xa4\":[]}}",
            b"{\"context\":{\"targetingKey\":\"../../x\"}}", self.json()])
        target = "/ofrep/v1/evaluate/flags" + self.pick(["", "/new_checkout", f"/{self.pick(TRICKS)}"])
        return self.head("POST", target, "Content-Type: application/json", f"Content-Length: {len(body)}") + body

    def methods(self):
        targets = ["/", "/api/v1/flags", "/api/v1/overrides", "/ofrep/v1/evaluate/flags"]
        return self.head(self.pick(METHODS), self.pick(targets))

    def targets(self):
        return self.head(self.pick(["GET", "POST", "DELETE", "CONNECT"]),
            self.pick([f"http://{self.host}/api/v1/status", "http://example.com/api/v1/overrides", "http://[::1/", "*",
            self.host, "example.com:443", "https://user:pw@127.0.0.1/", "api/v1/status", "", "/ /", "//", "/#x", "?x",
            "/\x00", "/\x7f", "/\t", "http://", "javascript:alert(1)"]))

    def traversals(self): return self.head("GET", self.pick(TRAVERSALS))

    def keys(self):
        path = self.pick(["/api/v1/flags/", "/api/v1/overrides/", "/ofrep/v1/evaluate/flags/", "/"])
        path += "/".join(self.pick(TRICKS) for _ in range(self.random.randint(1, 3)))
        return self.head(self.pick(["GET", "PUT", "DELETE", "POST"]), path)

    def queries(self):
        name = self.pick(["client", "matching", "code", "x", "client[]", "%63lient"])
        path = self.pick(["/api/v1/flags", "/api/v1/overrides", "/api/v1/status", "/login", "/api/v1/flags/new_checkout"])
        return self.head("GET", f"{path}?{name}={self.pick(TRICKS)}&{name}={self.pick(TRICKS)}&&=&{self.pick(TRICKS)}")

    def versions(self):
        return self.pick([self.head(version=self.pick(["HTTP/0.9", "HTTP/1.0", "HTTP/2.0", "HTTP/9.9", "HTTP/1", "HTTP", "",
            "SIP/2.0", "HTTP/1.1 x"])), b"GET /\r\n\r\n", b"GET / HTTP/1.1\n\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + self.bytes(200)])

    def hosts(self):
        return self.pick([self.head(host=""), self.head("GET", "/", "Host: example.com"), self.head(host="example.com"),
            self.head(host="[::1"), self.head(host=":"), self.head(host="127.0.0.1@example.com"),
            self.head(host="a" * 10_000), self.head(host="\x00"), self.head(host="127.0.0.1:99999999")])

    def fields(self):
        return self.head("GET", self.pick(["/api/v1/flags", "/"]), self.pick(["X: a\r\n folded", "X : y", ": y", "X",
            "X\x00: y", "X: \x00", "X: \x01\x7f", "Expect: 100-continue", "Upgrade: h2c", "Connection: Upgrade",
            "Connection: close, keep-alive", "Authorization:", "Authorization: Bearer", "Authorization: Bearer ",
            "Authorization: Basic eDp5", "Cookie: flagmenu-session", "Cookie: flagmenu-session=", "Cookie: ;;=;",
            "Range: bytes=0-1000000000000", "If-None-Match: \"", "Origin: null", "Accept-Encoding: gzip, br",
            "X-Forwarded-Host: 127.0.0.1", "X-HTTP-Method-Override: DELETE", "Last-Event-ID: \"\\",
            "Sec-Fetch-Site: cross-site"]))

    def pipeline(self):
        return self.head("GET", "/api/v1/flags/new_checkout") * 20 + self.pick([b"", b"GARBAGE\r\n\r\n", self.bytes(100)])
