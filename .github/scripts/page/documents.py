"""The page of flagmenu serve in a real Chromium, on other documents: errors of the store, conditions, groups by prefix,
and many flags."""
import pathlib

from common import Server
from page.browser import Browser, run
from services import Loopback

browser = Browser()


def check_store_errors():
    """An error of the store is shown and announced until it is gone, also if overrides cannot be read."""
    browser.serve({"a": "1", "b": "2"})
    browser.server.set("a", "3")
    browser.expect("announced", browser.get("#failed", "closest('[role=status]') !== null"))
    path = pathlib.Path(browser.server.store, "overrides.json")
    good = path.read_bytes()
    for damage, words in [("a file", "! Damaged at line 1"), ("a folder", "!")]:
        path.unlink()
        if damage == "a file": path.write_text("{")
        else: path.mkdir()
        browser.message(words, "failed")
        browser.expect_accessible(f"{damage} instead of the overrides")
        browser.driver.refresh()
        browser.wait("the flags", "return all('.row').length === 2")
        browser.message(words, "failed")
        if damage == "a folder": path.rmdir()
        path.write_bytes(good)
        browser.wait(f"no error after {damage}", "return !find('#failed').checkVisibility()")


def check_conditions():
    """Conditions set by hand count as changes, and fetched values can be activated."""
    loopback = Loopback("firebase")
    server = Server({})
    server.process.kill()
    server.environment["GOOGLE_APPLICATION_CREDENTIALS"] = server.write("account.json", loopback.facts["account"])
    source = {"source": f"firebase:{loopback.facts['project']}", "url": loopback.url, "namespace": "server"}
    server.write("flagmenu.json", {"app": "shop", "source": source})
    for command in ("trust", "fetch", "activate"): server.flagmenu(command)
    loopback.change("publish")
    server.flagmenu("fetch")
    server.start()
    browser.use(server)
    server.flagmenu("context", "--condition", "half=on")
    browser.message("half is true by hand", "contexts")
    browser.expect("the badge", browser.get("#count", "textContent"), "1")
    browser.expect_accessible("a condition")
    browser.press("X", focus="#resetDialog button")
    browser.message("half", "resetList")
    browser.press("ESCAPE")
    browser.get("#activate", "click()")
    browser.message("The fetched values are active.")
    browser.wait("nothing to activate", "return !find('#activate').checkVisibility()")


def check_prefixes():
    """Flags without useful categories are in groups that the server names."""
    browser.serve({f"{prefix}_{number}": "1" for prefix in ("a", "b") for number in range(40)})
    wanted = [group["name"] for group in browser.call("GET", "flags")["groups"]]
    browser.shows("the groups in order", "all('#flags h2').map((name) => name.textContent)", wanted)
    browser.expect("groups by prefix", len(wanted) > 1)


# Milliseconds from the arrival of the flags until the rows are there and painted.
RENDER = """
    window.rendered = new Promise((resolve) => new MutationObserver(() => {
        if (document.querySelectorAll('.row').length < COUNT) return;
        requestAnimationFrame(() => setTimeout(() => {
            const entry = performance.getEntriesByType('resource').find(({name}) => name.includes('/flags'));
            resolve(performance.now() - entry.responseEnd);
        }));
    }).observe(document, {childList: true, subtree: true}));"""
# Milliseconds from the response to a change until its row shows it.
UPDATE = """
    const entries = [];
    new PerformanceObserver((list) => entries.push(...list.getEntries().filter(({name}) => name.includes('/flags'))))
        .observe({type: 'resource'});
    const element = all('[role=switch]').at(20);
    new MutationObserver((_, self) => {
        self.disconnect();
        const end = performance.now();
        setTimeout(() => done(end - entries.at(-1).responseEnd), 100);
    }).observe(element, {attributes: true, attributeFilter: ['aria-checked']});
    fetch('/api/v1/overrides/' + element.closest('.row').querySelector('code').textContent, {
        method: 'PUT', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({value: 'true'})});"""


def check_many():
    for count, render, change in ((1000, 200, 50), (10_000, 5000, 500)):
        items = [{"key": f"generated_{number}", "value": "true|false", "title": f"{number}"} for number in range(count)]
        groups = [{"category": f"Generated {at}", "items": items[at:at + 50]} for at in range(0, count, 50)]
        browser.serve({item["key"]: "false" for item in items} | {"config_categories": groups})
        script = browser.command("Page.addScriptToEvaluateOnNewDocument", source=RENDER.replace("COUNT", str(count)))
        taken = []
        for _ in range(3):
            browser.open()
            taken.append(browser.run_later("rendered.then(done)"))
        browser.command("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])
        # Other work of this machine only adds time.
        browser.expect_below(f"{count} flags, from response to picture, best of 3", min(taken), render)
        browser.expect_below(f"{count} flags, a change from response to row", browser.run_later(UPDATE), change)


run(browser, vars())
