"""The states of the page of flagmenu serve in a real Chromium: live, without a connection, for one client,
read-only, and in each size and colour scheme, where axe-core must find no violation."""
import statistics
import time

from page.browser import ROW, Browser, run

browser = Browser()
browser.serve({}, "--sample")
sample = browser.server
SWITCH = "row.querySelector('[role=switch]').ariaChecked"

# Notes when the switch of a row shows another value.
WATCH = ROW + """
    window.seen = [];
    new MutationObserver(() => seen.push(performance.timeOrigin + performance.now())).observe(
        row.querySelector('[role=switch]'), {attributes: true, attributeFilter: ['aria-checked']});"""


def check_live():
    browser.run(WATCH, "maintenance_mode")
    delays = []
    for number in range(20):
        begin = time.time() * 1000
        browser.override("maintenance_mode", "false" if number % 2 else "true")
        delays.append(browser.wait("the change", "return seen[arguments[0]]", number) - begin)
    browser.expect_below("a change elsewhere, median of 20", statistics.median(delays), 100)


def check_resetting():
    """What a flag is after its override was reset is what the response says, with its layer."""
    browser.run("""
        const fetched = window.fetch;
        window.fetch = async (path, options) => options.method !== 'DELETE' ? fetched(path, options) : Response.json({
            notes: [], changes: [
                {key: 'a', old: 'false', oldLayer: 'override', new: 'true', newLayer: 'team'},
                {key: 'b', old: '1', oldLayer: 'override', new: null, newLayer: null},
                {key: 'c', old: '2', oldLayer: 'launch', new: '2', newLayer: 'launch'},
                {key: 'd', old: '2', oldLayer: 'override', new: '3', newLayer: 'remote'}]});""")
    browser.override_shown()
    browser.press("X", "TAB", "ENTER")
    browser.message("a is true again (team). b is not set again. c is still 2 (launch). And 1 more.")


def check_clients():
    browser.start("?client=phone")
    browser.start()
    browser.evaluate("login_variant", "phone")
    browser.get("#toClients", "click()")
    link = "all('tbody a').find((link) => link.textContent === 'phone')"
    browser.wait("the client", f"return {link}")
    browser.evaluate("maintenance_mode", "phone")
    browser.wait("what it evaluated last", "return find('tbody tr').textContent.includes('maintenance_mode')")
    browser.override("AWESOME_FEATURE", "false")
    browser.run(f"{link}.click()")
    browser.wait("its own set", "return location.search === '?client=phone' && find('.row')")
    browser.expect("named", browser.get("#client", "textContent.trim()"), "client phone Shared set")
    browser.search("multiple")
    browser.press(" ", says="enable_multiple_locations: false -> true")
    values = [browser.value("enable_multiple_locations", client) for client in ("?client=phone", "")]
    browser.expect("for this client only", values, ["true", "false"])
    browser.press("ESCAPE")
    browser.expect("only its own override can be reset here", browser.count(".reset"), 1)
    browser.call("DELETE", "overrides?client=phone")


def check_read_only():
    browser.command("Network.clearBrowserCookies")
    browser.open("/?read")
    browser.message("open the link that flagmenu serve printed", "readOnly")
    browser.expect("enabled", browser.count("fieldset:enabled, .reset:not([hidden]), .actions :enabled"), 0)
    for look in browser.looks(): browser.expect_accessible(f"read-only, {look}")
    sample.link = sample.url + sample.call("POST", "links")[1]["path"]
    browser.use(sample)


def expect_no_scrolling(what):
    browser.shows(f"wider than the screen, {what}", "document.documentElement.scrollWidth > innerWidth", False)


def check_sizes():
    """Small screens and a page at 200 % need no horizontal scrolling; fingers hit what they aim at."""
    backgrounds = {browser.run("return getComputedStyle(document.body).backgroundColor") for _ in browser.looks()}
    browser.expect("light and dark", len(backgrounds), 2)
    browser.override("AWESOME_FEATURE", "false")
    for width, height, scale in ((320, 568, 2), (390, 844, 3), (640, 400, 2), (1280, 800, 1)):
        browser.size((width, height), scale)
        browser.open(f"/?width={width}")
        expect_no_scrolling(f"{width} pixels")
        if width > 400: continue
        small = browser.run("""
            return all('button, input:not([type=radio]), select, nav a, label')
                .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 43.5)
                .map((element) => element.outerHTML.slice(0, 60))""")
        browser.expect(f"smaller than 44 pixels, {width}", small, [])
    browser.size("desktop")
    browser.media("light", "reduce")
    browser.open("/?calm")
    duration = "parseFloat(getComputedStyle(element, '::after').transitionDuration)"
    browser.shows("motion, if reduced", f"all('*').filter((element) => {duration} > 0).length", 0)
    browser.media()


def states():
    """The states that are examined, each with its name."""
    browser.override("AWESOME_FEATURE", "false")
    browser.override("login_variant", "A")
    yield "list"
    browser.press("j", "j")
    yield "selected row"
    browser.press("/", *"price factor", "ENTER", "ENTER", focus="#editor")
    browser.press("x", "ENTER", says="Nothing was changed", place="editError")
    yield "filter, edit with error"
    browser.press("ESCAPE", "ESCAPE", "/", *"nothing has this")
    yield "nothing found"
    browser.press("ESCAPE", "ESCAPE", "X", focus="#resetDialog button")
    yield "reset all"
    browser.press("ESCAPE", "?", focus="#keysDialog button")
    yield "keys"
    browser.press("ESCAPE", "s", focus="#scenarioList button")
    yield "scenarios"
    browser.press("ENTER", focus="#previewDialog button")
    yield "preview of a scenario"
    browser.press("ESCAPE", "/", *"login_variant", "ENTER", "e", focus="#noteText")
    yield "note and end"
    browser.press("ESCAPE", "/", *"login_screen", "ENTER", "ENTER", focus="#editor")
    yield "editor"
    browser.press("ESCAPE", "ESCAPE")
    browser.run("location.hash = 'view=clients'")
    browser.wait("clients", "return find('tbody tr')")
    yield "clients"
    browser.open("/?client=phone")
    yield "client"
    browser.offline(True)
    yield "not connected"
    browser.override("AWESOME_FEATURE", "true")
    browser.offline(False)


def check_accessibility():
    sample.save_scenario("a-demo", {"login_variant": "B", "gone": "1"})
    for look in browser.looks():
        browser.start()
        for state in states():
            browser.expect_accessible(f"{state}, {look}")
            expect_no_scrolling(f"{state}, {look}")


def check_stopped_server():
    """A change without a server says that it is unknown, and a server that starts again is found."""
    sample.process.kill()
    browser.wait_connected(False)
    browser.press("/", *"maint", "ENTER", " ")
    browser.message("The server does not respond. It is unknown whether this was changed.")
    browser.wait_row("maintenance_mode", f"{SWITCH} === 'false'")
    sample.start("--sample", port=sample.port)
    browser.override("AWESOME_FEATURE", "false")
    browser.wait_connected(True)
    browser.wait_row("AWESOME_FEATURE", f"{SWITCH} === 'false'")


run(browser, vars(), starts=True)
