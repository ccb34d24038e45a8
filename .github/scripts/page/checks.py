"""Operates the page of flagmenu serve in a real Chromium, as testers do: with keys, on a phone, and with a screen reader's rules.

usage: checks.py ROOT [LINK TOKEN]

LINK is the link that flagmenu serve --sample printed, and TOKEN its token. Without them, api.py stands in for the server.
"""
import json
import statistics
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import api
from browser import SCHEMES, SIZES, Browser

root = Path(sys.argv[1])
folder, sample = root / "Sources/FlagServer/Page", root / "Sources/DeveloperMenuTerminal/SampleSource.swift"
server = None
if len(sys.argv) > 2: link, token = sys.argv[2:4]
else:
    server = api.start(folder, api.Flags(api.read_document(str(sample))))
    link, token = server.link, api.TOKEN
address = "{0.scheme}://{0.netloc}".format(urlsplit(link))
browser = Browser()
failures = []


def call(method, path, body=None):
    request = urllib.request.Request(
        address + path, method=method, data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as response: return json.load(response)


def flags(client=""): return {flag["key"]: flag for flag in call("GET", f"/api/v1/flags{client}")["flags"]}


def override(key, value, client=""): return call("PUT", f"/api/v1/overrides/{key}{client}", {"value": value, "any": False, "new": False})


def reset_all(client=""): call("DELETE", f"/api/v1/overrides{client}")


def expect(what, found, wanted):
    if found != wanted: failures.append(f"{what}: {found!r}, expected {wanted!r}")


def expect_below(what, found, limit):
    print(f"  {what}: {found:.1f} ms, at most {limit}")
    if not found < limit: failures.append(f"{what}: {found:.1f} ms, expected less than {limit}")


def value(key): return flags()[key]["value"]


def visible(): return browser.run("return [...document.querySelectorAll('.row')].filter((row) => row.checkVisibility()).length")


def message(text): browser.wait(f"the message {text!r}", "return document.getElementById('message').textContent.includes(arguments[0])", text)


def focused(selector): browser.wait(f"the focus on {selector}", "return document.activeElement.matches(arguments[0])", selector)


# The row whose key is the first argument.
ROW = "const row = [...document.querySelectorAll('.row')].find((row) => row.querySelector('code').textContent === arguments[0]);"


def row(key, script, *arguments): return browser.run(f"{ROW} return {script}", key, *arguments)


def wait_row(key, script): return browser.wait(f"{key}: {script}", f"{ROW} return {script}", key)


def search(text):
    """Searches and selects the only row that is found."""
    browser.press("ESCAPE", "/")
    focused("#search")
    browser.run("document.activeElement.select()")
    browser.press(*text, "ENTER")
    focused(".row")
    expect(f"rows with {text!r}", visible(), 1)


def start(path="/"):
    reset_all()
    # Another address with only another hash would not load the page.
    browser.driver.get("about:blank")
    browser.open(address + path)


def check_loading():
    with urllib.request.urlopen(address + "/") as response: policy = response.headers["Content-Security-Policy"]
    expect("policy", "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy, True)
    start()
    browser.wait("all rows", "return document.querySelectorAll('.row').length === arguments[0]", len(flags()))
    keys = browser.run("return [...document.querySelectorAll('.row code')].map((element) => element.textContent)")
    expect("keys in the catalog's order", keys, list(flags()))


def check_keys():
    start()
    key = "enable_multiple_locations"
    search("loc MULT")
    expect("the filter in the address", "#filter=loc+MULT" in browser.driver.current_url, True)
    browser.press(" ")
    message(f"{key}: false -> true (was remote).")
    expect("toggled", (value(key), row(key, "row.querySelector('[role=switch]').ariaChecked")), ("true", "true"))
    wait_row(key, "row.dataset.state === 'overridden'")
    expect("its state in words", row(key, "row.querySelector('.chip').textContent"), "* changed")
    browser.press("x")
    message(f"{key} is false again (remote).")
    wait_row(key, "row.dataset.state === 'notSet' && row === document.activeElement")
    browser.press("u")
    message(f"{key}: false -> true (was remote).")
    browser.press("U")
    message(f"{key} is false again (remote).")
    browser.press("ESCAPE")
    expect("rows without a search", visible(), len(flags()))

    search("login variant")
    browser.press("ENTER")
    focused("input[type=radio]")
    browser.press("ARROW_RIGHT")
    message("login_variant: A -> B (was remote).")
    expect("chosen", value("login_variant"), "B")
    browser.press("ESCAPE")
    focused(".row")

    search("greeting")
    browser.press("ENTER")
    focused("#editor")
    browser.press(*"Hi there", "ENTER")
    message("greeting_text: Good morning -> Hi there (was remote).")
    expect("edited", value("greeting_text"), "Hi there")
    browser.press("ESCAPE")
    focused(".row")

    search("price factor")
    browser.press("ENTER")
    focused("#editor")
    browser.press(*"1.x", "ENTER")
    browser.wait("the error of the value", "return document.getElementById('editError').textContent.includes('Nothing was changed')")
    expect("an invalid value is not stored", value("item_price_factor"), "1.0")
    expect("and stays in the editor", browser.run("return document.activeElement.value"), "1.x")
    browser.press("ESCAPE")
    focused(".row")
    expect("until it is discarded", row("item_price_factor", "row.querySelector('.value').textContent"), "1.0")

    search("login_screen")
    browser.press("ENTER")
    focused("#editor")
    browser.run("document.activeElement.select()")
    browser.press(*"{'a'", "END")
    browser.press_with_control("ENTER")
    browser.wait("the error of the JSON", "return document.getElementById('editError').textContent")
    browser.run("document.activeElement.select()")
    browser.press(*'{"a": 1}')
    browser.press_with_control("ENTER")
    message("login_screen")
    expect("JSON", json.loads(value("login_screen")), {"a": 1})
    browser.wait("the closed editor", "return !document.querySelector('dialog[open]')")

    browser.press("ESCAPE", "m")
    expect("only changed", visible(), 3)
    browser.press("m")
    expect("all", visible(), len(flags()))
    browser.press("?")
    focused("#keysDialog button")
    browser.press("ESCAPE", "X")
    focused("#resetDialog button")
    listed = browser.run("return [...document.querySelectorAll('#resetList code')].map((element) => element.textContent)")
    expect("the dialog lists", sorted(listed), ["greeting_text", "login_screen", "login_variant"])
    browser.press("ESCAPE")
    expect("cancelled", len(call("GET", "/api/v1/overrides")["overrides"]), 3)
    browser.press("X", "TAB", "ENTER")
    browser.wait("no overrides", "return !document.querySelector('.row:not([data-state=notSet])')")
    expect("reset", call("GET", "/api/v1/overrides")["overrides"], {})
    browser.press("u")
    browser.wait("the overrides again", "return document.querySelectorAll('.row:not([data-state=notSet])').length === 3")

    browser.press("g")
    browser.press("j", "j", "k", "ARROW_DOWN")
    expect("rows by keys", browser.run("return [...document.querySelectorAll('.row')].indexOf(document.activeElement)"), 2)


def check_groups():
    """Groups fold and unfold by keys and by a click; a search shows what it finds in folded ones; a list jumps to one."""
    start()
    first = "return document.querySelector('#flags details')"
    count = visible()
    browser.press("g", "ARROW_LEFT")
    browser.wait("the folded group", first + ".open === false")
    focused("summary")
    expect("rows of other groups", 0 < visible() < count, True)
    folded_key = browser.run(first + ".querySelector('.row code').textContent")
    search(folded_key)
    browser.press("ESCAPE", "ESCAPE")
    browser.wait("folded again", first + ".open === false")
    browser.run(first + ".firstChild.click()")
    expect("rows after a click", visible(), count)
    browser.press("t")
    focused("#groupsDialog button")
    browser.press("TAB", "ENTER")
    focused(".row")
    second = browser.run("return document.querySelectorAll('#flags details')[1].contains(document.activeElement)")
    expect("the focus in the second group", second, True)
    expect("the name of a group once", browser.run(first + ".querySelector('h2').textContent"), flags()[folded_key]["category"])


def check_why():
    """A flag's layers, the one in use first marked, and the changes of its override."""
    start()
    override("maintenance_mode", "true")
    wait_row("maintenance_mode", "row.dataset.state === 'overridden'")
    search("maint")
    browser.press("i")
    focused("#whyDialog button")
    winner = browser.run("return document.querySelector('#whyLayers .winner').textContent")
    expect("the layer in use", winner.startswith("> overridetrue"), True)
    browser.wait("the history", "return document.querySelector('#whyHistory li').textContent.startsWith('not set -> true')")
    expect("violations of the dialog", browser.violations(), [])
    browser.press("ESCAPE")
    focused(".row")


def check_changes():
    """Conditions set by hand count as changes, and fetched values can be activated."""
    if not server: return
    start()
    condition = {"source": "sample", "condition": "beta testers", "old": None, "new": True}
    server.flags.set_elsewhere([condition], is_waiting=True)
    browser.wait("the condition", "return document.getElementById('contexts').textContent.includes('beta testers is true by hand')")
    expect("the badge", browser.run("return document.getElementById('count').textContent"), "1")
    expect("violations with a condition", browser.violations(), [])
    browser.press("X")
    focused("#resetDialog button")
    expect("the dialog lists it", browser.run("return document.getElementById('resetList').textContent.includes('beta testers')"), True)
    browser.press("ESCAPE")
    browser.run("document.getElementById('activate').click()")
    message("The fetched values are active.")
    browser.wait("nothing to activate", "return !document.getElementById('activate').checkVisibility()")
    server.flags.set_elsewhere()


def check_prefixes():
    """Flags without useful categories are in the groups that the server names."""
    if not server: return
    keys = list(flags())
    server.flags.groups = [{"name": "a_*", "keys": keys[:3]}, {"name": "Other", "keys": keys[3:]}]
    start()
    names = browser.wait("the groups", "const all = [...document.querySelectorAll('#flags h2')]; return all.length === 2 && all.map((name) => name.textContent)")
    expect("the groups in order", names, ["a_*", "Other"])
    server.flags.groups = None


def check_menu():
    """A value that is none of the options is shown, and a menu below the focus is not changed."""
    start()
    call("PUT", "/api/v1/overrides/maximum_item_count", {"value": "7", "any": True, "new": False})
    wait_row("maximum_item_count", "row.dataset.kind === 'menu' && row.querySelector('.chip').textContent === '~ stale'")
    search("maximum")
    browser.press("ENTER")
    focused("select")
    expect("the value in use", browser.run("return document.activeElement.selectedOptions[0].textContent"), "7 (not an option)")
    override("maximum_item_count", "100")
    wait_row("maximum_item_count", "row.querySelector('.hint').textContent.includes('Now 100')")
    expect("below the focus", browser.run("return document.activeElement.value"), "7")
    browser.press("ARROW_DOWN")
    message("maximum_item_count: 100 -> 10 (was override).")
    browser.press("ESCAPE")
    wait_row("maximum_item_count", "row === document.activeElement && row.querySelector('[type=radio]:checked')?.value === '10'")


def check_tab_alone():
    start()
    reached, keys = [], set()
    browser.open(address + "/#filter=greeting")
    # The group comes first, then its flag.
    browser.press("TAB", "ENTER", "TAB", "TAB")
    expect("after skipping to the list", browser.run("return [document.activeElement.className, location.hash]"), ["value mono", "#filter=greeting"])
    start()
    browser.run("document.body.focus()")
    for _ in range(40):
        browser.press("TAB")
        found = browser.run("""
            const element = document.activeElement, style = getComputedStyle(element);
            const ring = element.matches('[type=radio]') ? getComputedStyle(element.nextElementSibling) : style;
            return [element.id, element.closest('.row')?.querySelector('code').textContent, ring.outlineStyle !== 'none']""")
        if found[0] in reached and found[0]: break
        reached.append(found[0])
        if found[1]: keys.add(found[1])
        if not found[2] and found[1]: failures.append(f"no visible focus: {found}")
    expect("all flags by Tab", keys, set(flags()))
    for name in ("search", "only", "undo", "redo", "toClients", "keysButton"): expect(f"{name} by Tab", name in reached, True)


# Notes when the switch of a row shows another value.
WATCH = ROW + """
    window.seen = [];
    new MutationObserver(() => seen.push(performance.timeOrigin + performance.now())).observe(
        row.querySelector('[role=switch]'), {attributes: true, attributeFilter: ['aria-checked']});"""


def delays(key, count=20):
    """Milliseconds from before a change is requested until the browser shows it."""
    browser.run(WATCH, key)
    found = []
    for number in range(count):
        begin = time.time() * 1000
        override(key, "false" if number % 2 else "true")
        seen = browser.wait("the change", "return seen.length > arguments[0] && seen[arguments[0]]", number)
        found.append(seen - begin)
    return found


def check_live():
    start()
    found = delays("maintenance_mode")
    expect_below("a change elsewhere, median of 20", statistics.median(found), 100)
    print(f"  slowest of 20: {max(found):.1f} ms")


def check_calm():
    """A change elsewhere disturbs neither focus, caret, scroll position, edit nor dialog."""
    start()
    browser.size(1280, 300)
    search("greeting")
    browser.press("ENTER")
    focused("#editor")
    browser.press(*"half", "ARROW_LEFT", "ARROW_LEFT")
    browser.run("document.getElementById('search').value = ''; document.getElementById('search').dispatchEvent(new Event('input'))")
    state = "return [document.activeElement.value, document.activeElement.selectionStart, scrollY]"
    before = browser.run(state)
    expect("half-typed", before[:2], ["half", 2])
    override("greeting_text", "Elsewhere")
    override("maintenance_mode", "true")
    wait_row("maintenance_mode", "row.dataset.state === 'overridden'")
    browser.wait("what was changed", "return document.getElementById('editError').textContent === 'Now Elsewhere, changed elsewhere.'")
    expect("after changes elsewhere", browser.run(state), before)
    browser.press("ESCAPE")
    focused(".row")
    expect("the row shows the new value", row("greeting_text", "row.querySelector('.value').textContent"), "Elsewhere")
    browser.press("X")
    focused("#resetDialog button")
    override("login_variant", "B")
    browser.wait("the flag in the dialog", "return document.getElementById('resetList').children.length === 3")
    focused("#resetDialog button")
    browser.press("ESCAPE")
    browser.size(*SIZES["desktop"])


def disconnect():
    if server: api.stop(server)
    else:
        # Chromium's switch keeps open connections: the page notices as after a phone's sleep.
        browser.offline(True)
        browser.run("document.dispatchEvent(new Event('visibilitychange'))")
    browser.wait("not connected", "return document.getElementById('disconnected').checkVisibility()", seconds=15)


def reconnect():
    global server
    if server: server = api.start(folder, server.flags, port=server.server_address[1])
    override("AWESOME_FEATURE", "false")
    if not server: browser.offline(False)
    browser.wait("connected", "return !document.getElementById('disconnected').checkVisibility()", seconds=15)


def check_reconnecting():
    start()
    disconnect()
    if server:
        browser.press("/", *"maint", "ENTER", " ")
        message("The server does not respond. It is unknown whether this was changed.")
        wait_row("maintenance_mode", "row.querySelector('[role=switch]').ariaChecked === 'false'")
    reconnect()
    wait_row("AWESOME_FEATURE", "row.querySelector('[role=switch]').ariaChecked === 'false'")


def check_resetting():
    """What a flag is after its override was reset is what the response says, with its layer."""
    start()
    browser.run("""
        const fetched = window.fetch;
        window.fetch = async (path, options) => options.method !== 'DELETE' ? fetched(path, options) : Response.json({
            notes: [], changes: [
                {key: 'a', old: 'false', oldLayer: 'override', new: 'true', newLayer: 'team'},
                {key: 'b', old: '1', oldLayer: 'override', new: null, newLayer: null},
                {key: 'c', old: '2', oldLayer: 'launch', new: '2', newLayer: 'launch'},
                {key: 'd', old: '2', oldLayer: 'override', new: '3', newLayer: 'remote'}]});""")
    override("maintenance_mode", "true")
    wait_row("maintenance_mode", "row.dataset.state === 'overridden'")
    browser.press("X", "TAB", "ENTER")
    message("a is true again (team). b is not set again. c is still 2 (launch). And 1 more.")


def check_issues():
    """An error of the team or of the store is shown and announced until it is gone, also if overrides cannot be read."""
    if not server: return
    start()
    notice = "const notice = document.getElementById('failed'); return "
    expect("announced", browser.run(notice + "notice.closest('[role=status]') !== null"), True)
    for issue in ["The team's etcd does not respond. The values from 2 min ago stay in use.", "The overrides cannot be read."]:
        server.flags.set_issues([issue])
        browser.wait(issue, notice + "notice.checkVisibility() && notice.textContent === '! ' + arguments[0]", issue)
        expect("violations with an issue", browser.violations(), [])
        if "overrides" in issue:
            browser.driver.refresh()
            browser.wait("the flags without overrides", "return document.querySelectorAll('.row').length === arguments[0]", len(flags()))
            browser.wait(issue, notice + "notice.checkVisibility() && notice.textContent.includes(arguments[0])", issue)
        server.flags.set_issues([])
        browser.wait("no issue", notice + "!notice.checkVisibility()")


def check_clients():
    reset_all("?client=phone")
    start()
    call("POST", "/ofrep/v1/evaluate/flags/login_variant", {"context": {"targetingKey": "phone"}})
    browser.run("document.getElementById('toClients').click()")
    browser.wait("the client", "return [...document.querySelectorAll('tbody a')].some((link) => link.textContent === 'phone')")
    call("POST", "/ofrep/v1/evaluate/flags/maintenance_mode", {"context": {"targetingKey": "phone"}})
    browser.wait("what it evaluated last", "return document.querySelector('tbody tr').textContent.includes('maintenance_mode')")
    override("AWESOME_FEATURE", "false")
    browser.run("[...document.querySelectorAll('tbody a')].find((link) => link.textContent === 'phone').click()")
    browser.wait("its own set", "return location.search === '?client=phone' && document.querySelector('.row')")
    expect("named", browser.run("return document.getElementById('client').textContent.trim()"), "client phone Shared set")
    search("multiple")
    browser.press(" ")
    message("enable_multiple_locations: false -> true")
    values = [flags(query)["enable_multiple_locations"]["value"] for query in ("?client=phone", "")]
    expect("for this client only", values, ["true", "false"])
    browser.press("ESCAPE")
    resets = "return [...document.querySelectorAll('.reset')].filter((button) => button.checkVisibility()).length"
    browser.wait("only its own override can be reset here", resets + " === 1")
    reset_all("?client=phone")


def check_read_only():
    start()
    cookies = browser.command("Network.getAllCookies")["cookies"]
    browser.command("Network.clearBrowserCookies")
    browser.open(address + "/?read")
    text = browser.run("const notice = document.getElementById('readOnly'); return notice.checkVisibility() && notice.textContent")
    expect("how to get write access", "open the link that flagmenu serve printed" in (text or ""), True)
    enabled = "return document.querySelectorAll('fieldset:enabled, .reset:not([hidden]), .actions :enabled').length"
    expect("enabled controls", browser.run(enabled), 0)
    for size in SIZES:
        for scheme in SCHEMES:
            browser.size(*SIZES[size])
            browser.media(scheme)
            expect(f"violations, read-only, {size}, {scheme}", browser.violations(), [])
    browser.media()
    kept = ("name", "value", "domain", "path", "httpOnly", "sameSite")
    for cookie in cookies: browser.driver.execute_cdp_cmd("Network.setCookie", {name: cookie[name] for name in kept if name in cookie})


def states():
    """The states that are examined, each with its name."""
    override("AWESOME_FEATURE", "false")
    override("login_variant", "A")
    yield "list"
    browser.press("j", "j")
    yield "selected row"
    browser.press("/", *"price factor", "ENTER", "ENTER")
    focused("#editor")
    browser.press("x", "ENTER")
    browser.wait("the error of the value", "return document.getElementById('editError').checkVisibility() && document.getElementById('editError').textContent")
    yield "filter, edit with error"
    browser.press("ESCAPE", "ESCAPE", "/", *"nothing has this")
    yield "nothing found"
    browser.press("ESCAPE", "ESCAPE", "X")
    focused("#resetDialog button")
    yield "reset all"
    browser.press("ESCAPE", "?")
    focused("#keysDialog button")
    yield "keys"
    browser.press("ESCAPE", "/", *"login_screen", "ENTER", "ENTER")
    focused("#editor")
    yield "editor"
    browser.press("ESCAPE", "ESCAPE")
    browser.run("location.hash = 'view=clients'")
    browser.wait("clients", "return document.querySelector('tbody tr')")
    yield "clients"
    browser.open(address + "/?client=phone")
    yield "client"
    disconnect()
    yield "not connected"
    reconnect()


def check_accessibility():
    for size in SIZES:
        for scheme in SCHEMES:
            browser.size(*SIZES[size])
            browser.media(scheme)
            start()
            for state in states():
                expect(f"violations, {state}, {size}, {scheme}", browser.violations(), [])
                check_width(f"{state}, {size}")
    browser.media()


def check_width(what):
    expect(f"wider than the screen, {what}", browser.run("return document.documentElement.scrollWidth > innerWidth"), False)


def check_sizes():
    """Small screens and a page at 200 % need no horizontal scrolling; fingers hit what they aim at."""
    backgrounds = []
    for scheme in SCHEMES:
        browser.media(scheme)
        start()
        backgrounds.append(browser.run("return getComputedStyle(document.body).backgroundColor"))
    expect("light and dark", len(set(backgrounds)), 2)
    browser.media()
    override("AWESOME_FEATURE", "false")
    for width, height, scale in ((320, 568, 2), (390, 844, 3), (640, 400, 2), (1280, 800, 1)):
        browser.size(width, height, scale)
        browser.open(address + f"/?width={width}")
        check_width(f"{width} pixels")
        if width > 400: continue
        small = browser.run("""
            return [...document.querySelectorAll('button, input:not([type=radio]), select, nav a, label')]
                .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 43.5)
                .map((element) => element.outerHTML.slice(0, 60))""")
        expect(f"smaller than 44 pixels, {width}", small, [])
    browser.size(*SIZES["desktop"])
    browser.media("light", "reduce")
    browser.open(address + "/?calm")
    moving = "return [...document.querySelectorAll('*')].filter((element) => parseFloat(getComputedStyle(element, '::after').transitionDuration) > 0).length"
    expect("motion, if reduced", browser.run(moving), 0)
    browser.media()


# Milliseconds from the arrival of the flags until the rows are there and painted.
RENDER = """
    window.rendered = new Promise((resolve) => new MutationObserver(() => {
        if (document.querySelectorAll('.row').length < COUNT) return;
        requestAnimationFrame(() => setTimeout(() => {
            const entry = performance.getEntriesByType('resource').find(({name}) => name.includes('/flags'));
            resolve(performance.now() - entry.responseEnd);
        }));
    }).observe(document, {childList: true, subtree: true}));"""


def check_many():
    global address, token
    before = address
    for count, render, change in ((1000, 200, 50), (10_000, 5000, 500)):
        many = api.start(folder, api.Flags(api.read_document(str(sample)), copies=count))
        address = many.url
        script = browser.command("Page.addScriptToEvaluateOnNewDocument", source=RENDER.replace("COUNT", str(count)))
        taken = []
        for _ in range(3):
            browser.open(many.link)
            taken.append(browser.driver.execute_async_script("rendered.then(arguments[0])"))
        browser.command("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])
        # Other work of this machine only adds time.
        expect_below(f"{count} flags, from response to picture, best of 3", min(taken), render)
        changes = delays("generated_5", 7)
        # What the server needs for its list is not the page's time.
        server_time = []
        for _ in range(5):
            begin = time.time()
            flags()
            server_time.append((time.time() - begin) * 1000)
        print(f"  {count} flags, a change with the stand-in's response: {statistics.median(changes):.1f} ms, of which response about {statistics.median(server_time):.1f} ms")
        browser.press("/", *"Generated 99")
        begin = time.time()
        browser.press("8")
        browser.wait("the found rows", "return document.getElementById('found').textContent.startsWith(arguments[0])", "1 of" if count == 1000 else "20 of")
        print(f"  {count} flags, a letter of a search: {(time.time() - begin) * 1000:.1f} ms with the driver")
        browser.press("ESCAPE")
        update = browser.driver.execute_async_script("""
            const done = arguments[0], entries = [];
            const observer = new PerformanceObserver((list) => entries.push(...list.getEntries().filter(({name}) => name.includes('/flags'))));
            observer.observe({type: 'resource'});
            const element = [...document.querySelectorAll('[role=switch]')].at(20);
            new MutationObserver((_, self) => {
                self.disconnect();
                const end = performance.now();
                setTimeout(() => done(end - entries.at(-1).responseEnd), 100);
            }).observe(element, {attributes: true, attributeFilter: ['aria-checked']});
            fetch('/api/v1/overrides/' + element.closest('.row').querySelector('code').textContent, {
                method: 'PUT', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({value: 'true', any: false, new: false})});""")
        expect_below(f"{count} flags, a change from response to row", update, change)
        api.stop(many)
    address = before


checks = [
    check_loading, check_keys, check_groups, check_why, check_changes, check_prefixes, check_menu, check_tab_alone, check_live,
    check_calm, check_resetting, check_issues, check_clients, check_read_only, check_sizes,
    check_reconnecting, check_accessibility] + ([check_many] if server else [])
try:
    browser.size(*SIZES["desktop"])
    browser.media()
    browser.open(link)
    for check in checks:
        name = check.__name__.removeprefix("check_").replace("_", " ")
        before = len(failures)
        try:
            check()
        except Exception as error:
            failures.append(f"{type(error).__name__}: {str(error).splitlines()[0]}")
        # Requests fail while there is no connection, which the browser logs; everything else is an error of the page.
        messages = [text for text in browser.console_messages() if not any(word in text for word in ("net::ERR_", "422", "401", "507"))]
        if messages: failures.append(f"console: {messages}")
        print(f"{'ok' if len(failures) == before else 'FAILED'}: {name}", flush=True)
        for failure in failures[before:]: print(f"  {failure}", file=sys.stderr)
finally:
    browser.quit()
sys.exit(1 if failures else 0)
