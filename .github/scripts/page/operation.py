"""Operates the page of flagmenu serve in a real Chromium with keys alone, and beside changes made elsewhere."""
import json
import urllib.request

from page.browser import Browser, run

browser = Browser()
browser.serve({}, "--sample")
sample = browser.server


def override(key, value): sample.set(key, value)


def check_loading():
    with urllib.request.urlopen(sample.url + "/") as response:
        policy = response.headers["Content-Security-Policy"]
    wanted = "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
    browser.expect("policy", wanted)
    browser.start()
    browser.wait(
        "all rows", "return document.querySelectorAll('.row').length === arguments[0]", len(browser.flags()))
    keys = browser.run("return [...document.querySelectorAll('.row code')].map((element) => element.textContent)")
    browser.expect("keys in the catalog's order", keys, list(browser.flags()))


def check_toggling():
    browser.start()
    key = "enable_multiple_locations"
    browser.search("loc MULT")
    browser.expect("the filter in the address", "#filter=loc+MULT" in browser.driver.current_url)
    browser.press(" ")
    browser.message(f"{key}: false -> true (was remote).")
    browser.expect("toggled", browser.value(key), "true")
    browser.expect("its switch", browser.row(key, "row.querySelector('[role=switch]').ariaChecked"), "true")
    browser.wait_row(key)
    browser.expect("its state in words", browser.row(key, "row.querySelector('.chip').textContent"), "* changed")
    browser.press("x")
    browser.message(f"{key} is false again (remote).")
    browser.wait_row(key, "row.dataset.state === 'notSet' && row === document.activeElement")
    browser.press("u")
    browser.message(f"{key}: false -> true (was remote).")
    browser.press("U")
    browser.message(f"{key} is false again (remote).")
    browser.press("ESCAPE")
    browser.expect("rows without a search", browser.count(".row"), len(browser.flags()))


def check_editing():
    browser.start()
    browser.edit("login variant", "input[type=radio]")
    browser.press("ARROW_RIGHT")
    browser.message("login_variant: A -> B (was remote).")
    browser.expect("chosen", browser.value("login_variant"), "B")
    browser.press("ESCAPE")
    browser.focused(".row")

    browser.edit("greeting")
    browser.press(*"Hi there", "ENTER")
    browser.message("greeting_text: Good morning -> Hi there (was remote).")
    browser.expect("edited", browser.value("greeting_text"), "Hi there")
    browser.press("ESCAPE")
    browser.focused(".row")

    browser.edit("price factor")
    browser.press(*"1.x", "ENTER")
    browser.message("Nothing was changed", "editError")
    browser.expect("an invalid value is not stored", browser.value("item_price_factor"), "1.0")
    browser.expect("and stays in the editor", browser.run("return document.activeElement.value"), "1.x")
    browser.press("ESCAPE")
    browser.focused(".row")
    shown = browser.row("item_price_factor", "row.querySelector('.value').textContent")
    browser.expect("until it is discarded", shown, "1.0")

    browser.edit("login_screen")
    browser.type_over("{'a'")
    browser.press("CONTROL", "ENTER")
    browser.wait("the error of the JSON", "return document.getElementById('editError').textContent")
    browser.type_over('{"a": 1}')
    browser.press("CONTROL", "ENTER")
    browser.message("login_screen")
    browser.expect("JSON", json.loads(browser.value("login_screen")), {"a": 1})
    browser.wait("the closed editor", "return !document.querySelector('dialog[open]')")
    check_resetting_all()


def check_resetting_all():
    """Of the three flags that were changed."""
    browser.press("ESCAPE", "m")
    browser.expect("only changed", browser.count(".row"), 3)
    browser.press("m")
    browser.expect("all", browser.count(".row"), len(browser.flags()))
    browser.press("?")
    browser.focused("#keysDialog button")
    browser.press("ESCAPE", "X")
    browser.focused("#resetDialog button")
    listed = browser.run("return [...document.querySelectorAll('#resetList code')].map((one) => one.textContent)")
    browser.expect("the dialog lists", sorted(listed), ["greeting_text", "login_screen", "login_variant"])
    browser.press("ESCAPE")
    browser.expect("cancelled", len(browser.call("GET", "overrides")["overrides"]), 3)
    browser.press("X", "TAB", "ENTER")
    browser.wait("no overrides", "return !document.querySelector('.row:not([data-state=notSet])')")
    browser.expect("reset", browser.call("GET", "overrides")["overrides"], {})
    browser.press("u")
    browser.wait(
        "the overrides again", "return document.querySelectorAll('.row:not([data-state=notSet])').length === 3")
    browser.press("g")
    browser.press("j", "j", "k", "ARROW_DOWN")
    place = browser.run("return [...document.querySelectorAll('.row')].indexOf(document.activeElement)")
    browser.expect("rows by keys", place, 2)


def check_groups():
    """Groups fold by keys and by a click; a search shows what it finds in folded ones; a list jumps to one."""
    browser.start()
    first = "#flags details"
    count = browser.count(".row")
    browser.press("g", "ARROW_LEFT")
    browser.wait("the folded group", f"return !document.querySelector('{first}').open")
    browser.focused("summary")
    browser.expect("rows of other groups", 0 < browser.count(".row") < count)
    folded_key = browser.get(f"{first} .row code", "textContent")
    browser.search(folded_key)
    browser.press("ESCAPE", "ESCAPE")
    browser.wait("folded again", f"return !document.querySelector('{first}').open")
    browser.get(f"{first} > summary", "click()")
    browser.expect("rows after a click", browser.count(".row"), count)
    browser.press("t")
    browser.focused("#groupsDialog button")
    browser.press("TAB", "ENTER")
    browser.focused(".row")
    second = browser.run("return document.querySelectorAll('#flags details')[1].contains(document.activeElement)")
    browser.expect("the focus in the second group", second)
    name = browser.get(f"{first} h2", "textContent")
    browser.expect("the name of a group once", name, browser.flags()[folded_key]["category"])


def check_why():
    """A flag's layers, the one in use first marked, and the changes of its override."""
    browser.start()
    override("maintenance_mode", "true")
    browser.wait_row("maintenance_mode")
    browser.search("maint")
    browser.press("i")
    browser.focused("#whyDialog button")
    winner = browser.get("#whyLayers .winner", "textContent")
    browser.expect("the layer in use", winner.startswith("> overridetrue"))
    browser.wait(
        "the history", "return document.querySelector('#whyHistory li')?.textContent.startsWith('not set -> true')")
    browser.expect_accessible("the dialog")
    browser.press("ESCAPE")
    browser.focused(".row")


def check_scenarios():
    """A scenario is applied as it was shown, and undone; the badge names it and counts what deviates from it."""
    browser.start()
    sample.save_scenario("demo", {"login_variant": "B", "gone": "1"})
    override("maintenance_mode", "true")
    browser.wait_row("maintenance_mode")
    browser.press("s")
    browser.focused("#scenarioList button")
    browser.press("ENTER")
    browser.focused("#previewDialog button")
    browser.message("Adds 1.", "previewSummary")
    browser.message("gone is left out", "previewLeftOut")
    browser.get("#previewDialog [value=replace]", "click()")
    browser.message("resets 1.", "previewSummary")
    override("greeting_text", "Elsewhere")
    browser.get("#applyScenario", "click()")
    browser.message("made others meanwhile", "previewError")
    browser.message("resets 2.", "previewSummary")
    browser.get("#applyScenario", "click()")
    browser.message("demo is applied.")
    browser.expect("the overrides", list(browser.call("GET", "overrides")["overrides"]), ["login_variant"])
    browser.message("1 changed · demo", "badge")
    override("login_variant", "A")
    browser.message("1 changed · demo +1", "badge")
    browser.press("u", "u")
    browser.message("2 changed", "badge")
    browser.expect("no scenario", browser.get("#badge", "textContent"), "2 changed")


def check_notes():
    """A note and an end are set with keys, shown on the row, and removed."""
    browser.start()
    override("maintenance_mode", "true")
    browser.wait_row("maintenance_mode")
    browser.search("maint")
    browser.press("e")
    browser.focused("#noteText")
    browser.press(*"BUG-4711", "TAB", *"2h", "ENTER")
    browser.message("its note or end changed.")
    browser.wait_row("maintenance_mode", "row.textContent.includes('BUG-4711 · ends in ')")
    browser.focused(".row")
    browser.press("e")
    browser.focused("#noteText")
    browser.message("ends in ", "noteEndNow")
    browser.press("TAB", *"never", "ENTER")
    browser.wait_row("maintenance_mode", "!row.textContent.includes('ends in')")


def check_menu():
    """A value that is none of the options is shown, and a menu below the focus is not changed."""
    browser.start()
    browser.call("PUT", "overrides/maximum_item_count", {"value": "7", "any": True})
    browser.wait_row(
        "maximum_item_count",
        "row.dataset.kind === 'menu' && row.querySelector('.chip').textContent === '~ stale'")
    browser.edit("maximum", "select")
    shown = browser.run("return document.activeElement.selectedOptions[0].textContent")
    browser.expect("the value in use", shown, "7 (not an option)")
    override("maximum_item_count", "100")
    browser.wait_row("maximum_item_count", "row.querySelector('.hint').textContent.includes('Now 100')")
    browser.expect("below the focus", browser.run("return document.activeElement.value"), "7")
    browser.press("ARROW_DOWN")
    browser.message("maximum_item_count: 100 -> 10 (was override).")
    browser.press("ESCAPE")
    browser.wait_row(
        "maximum_item_count",
        "row === document.activeElement && row.querySelector('[type=radio]:checked')?.value === '10'")


def check_tab_alone():
    browser.start()
    browser.open("/#filter=greeting")
    # The group comes first, then its flag.
    browser.press("TAB", "ENTER", "TAB", "TAB")
    place = browser.run("return [document.activeElement.className, location.hash]")
    browser.expect("after skipping to the list", place, ["value mono", "#filter=greeting"])
    browser.start()
    reached, keys = [], set()
    for _ in range(40):
        browser.press("TAB")
        name, key, has_ring = browser.run("""
            const element = document.activeElement, style = getComputedStyle(element);
            const ring = element.matches('[type=radio]') ? getComputedStyle(element.nextElementSibling) : style;
            const key = element.closest('.row')?.querySelector('code').textContent;
            return [element.id, key, ring.outlineStyle !== 'none'];""")
        if name in reached and name: break
        reached.append(name)
        if key: keys.add(key)
        if key: browser.expect(f"a visible focus on {name} of {key}", has_ring)
    browser.expect("all flags by Tab", keys, set(browser.flags()))
    for name in ("search", "only", "undo", "redo", "toClients", "keysButton"):
        browser.expect(f"{name} by Tab", name in reached)


def check_calm():
    """A change elsewhere disturbs neither focus, caret, scroll position, edit nor dialog."""
    browser.start()
    browser.size((1280, 300))
    browser.edit("greeting")
    browser.press(*"half", "ARROW_LEFT", "ARROW_LEFT")
    browser.run("const {search} = window; search.value = ''; search.dispatchEvent(new Event('input'))")
    state = "return [document.activeElement.value, document.activeElement.selectionStart, scrollY]"
    before = browser.run(state)
    browser.expect("half-typed", before[:2], ["half", 2])
    override("greeting_text", "Elsewhere")
    override("maintenance_mode", "true")
    browser.wait_row("maintenance_mode")
    browser.message("Now Elsewhere, changed elsewhere.", "editError")
    browser.expect("after changes elsewhere", browser.run(state), before)
    browser.press("ESCAPE")
    browser.focused(".row")
    shown = browser.row("greeting_text", "row.querySelector('.value').textContent")
    browser.expect("the row shows the new value", shown, "Elsewhere")
    browser.press("X")
    browser.focused("#resetDialog button")
    override("login_variant", "B")
    browser.wait("the flag in the dialog", "return document.getElementById('resetList').children.length === 3")
    browser.focused("#resetDialog button")
    browser.press("ESCAPE")
    browser.size("desktop")


run(browser, [
    check_loading, check_toggling, check_editing, check_groups, check_why, check_scenarios, check_notes,
    check_menu, check_tab_alone, check_calm])
