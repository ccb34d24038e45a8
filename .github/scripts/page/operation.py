"""Operates the page of flagmenu serve in a real Chromium with keys alone, and beside changes made elsewhere."""
import json

from page.browser import Browser, run

browser = Browser()
browser.serve({}, "--sample")


def check_loading():
    browser.wait("all rows", "return all('.row').length === arguments[0]", len(browser.flags()))
    keys = "all('.row code').map((element) => element.textContent)"
    browser.shows("keys in the catalog's order", keys, list(browser.flags()))


def check_toggling():
    key = "enable_multiple_locations"
    browser.search("loc MULT")
    browser.expect("the filter in the address", "#filter=loc+MULT" in browser.driver.current_url)
    browser.press(" ", says=f"{key}: false -> true (was remote).")
    browser.expect("toggled", browser.value(key), "true")
    browser.wait_row(key)
    shown = browser.row(key, "[row.querySelector('[role=switch]').ariaChecked, part('.chip')]")
    browser.expect("its switch, and its state in words", shown, ["true", "* changed"])
    browser.press("x", says=f"{key} is false again (remote).")
    browser.wait_row(key, "row.dataset.state === 'notSet' && row === focus")
    browser.press("u", says=f"{key}: false -> true (was remote).")
    browser.press("U", says=f"{key} is false again (remote).")
    browser.press("ESCAPE")
    browser.expect("rows without a search", browser.count(".row"), len(browser.flags()))


def check_editing():
    browser.edit("login variant", "input[type=radio]")
    browser.press("ARROW_RIGHT", says="login_variant: A -> B (was remote).")
    browser.expect("chosen", browser.value("login_variant"), "B")
    browser.press("ESCAPE", focus=".row")

    browser.edit("greeting")
    browser.press(*"Hi there", "ENTER", says="greeting_text: Good morning -> Hi there (was remote).")
    browser.expect("edited", browser.value("greeting_text"), "Hi there")

    browser.edit("price factor")
    browser.press(*"1.x", "ENTER", says="Nothing was changed", place="editError")
    browser.expect("an invalid value is not stored", browser.value("item_price_factor"), "1.0")
    browser.shows("and stays in the editor", "focus.value", "1.x")
    browser.press("ESCAPE", focus=".row")
    browser.expect("until it is discarded", browser.row("item_price_factor", "part('.value')"), "1.0")

    browser.edit("login_screen")
    browser.type_over("{'a'")
    browser.press("CONTROL", "ENTER")
    browser.wait("the error of the JSON", "return find('#editError').textContent")
    browser.type_over('{"a": 1}')
    browser.press("CONTROL", "ENTER")
    browser.wait("the closed editor", "return !find('dialog[open]')")
    browser.expect("JSON", json.loads(browser.value("login_screen")), {"a": 1})
    reset_all()


def reset_all():
    """Of the three flags that were changed."""
    browser.press("ESCAPE", "m")
    browser.expect("only changed", browser.count(".row"), 3)
    browser.press("m")
    browser.expect("all", browser.count(".row"), len(browser.flags()))
    browser.press("?", focus="#keysDialog button")
    browser.press("ESCAPE", "X", focus="#resetDialog button")
    listed = browser.run("return all('#resetList code').map((one) => one.textContent)")
    browser.expect("the dialog lists", sorted(listed), ["greeting_text", "login_screen", "login_variant"])
    browser.press("ESCAPE")
    browser.expect("cancelled", len(browser.call("GET", "overrides")["overrides"]), 3)
    browser.press("X", "TAB", "ENTER")
    browser.wait("no overrides", "return !find('.row:not([data-state=notSet])')")
    browser.expect("reset", browser.call("GET", "overrides")["overrides"], {})
    browser.press("u")
    browser.wait("the overrides again", "return all('.row:not([data-state=notSet])').length === 3")
    browser.press("g", "j", "j", "k", "ARROW_DOWN")
    browser.shows("rows by keys", "all('.row').indexOf(focus)", 2)


def check_groups():
    """Groups fold by keys and by a click; a search shows what it finds in folded ones; a list jumps to one."""
    first = "#flags details"
    count = browser.count(".row")
    browser.press("g", "ARROW_LEFT")
    browser.wait("the folded group", f"return !find('{first}').open")
    browser.focused("summary")
    browser.expect("rows of other groups", 0 < browser.count(".row") < count)
    folded_key = browser.get(f"{first} .row code", "textContent")
    browser.search(folded_key)
    browser.press("ESCAPE", "ESCAPE")
    browser.wait("folded again", f"return !find('{first}').open")
    browser.get(f"{first} > summary", "click()")
    browser.expect("rows after a click", browser.count(".row"), count)
    browser.press("t", focus="#groupsDialog button")
    browser.press("TAB", "ENTER", focus=".row")
    browser.shows("the focus in the second group", "all('#flags details')[1].contains(focus)")
    name = browser.get(f"{first} h2", "textContent")
    browser.expect("the name of a group once", name, browser.flags()[folded_key]["category"])


def check_why():
    """A flag's layers, the one in use first marked, and the changes of its override; then its note and its end."""
    browser.override_shown()
    browser.search("maint")
    browser.press("i", focus="#whyDialog button")
    browser.shows("the layer in use", "find('#whyLayers .winner').textContent.startsWith('> overridetrue')")
    browser.wait("the history", "return find('#whyHistory li')?.textContent.startsWith('not set -> true')")
    browser.expect_accessible("the dialog")
    browser.press("ESCAPE", "e", focus="#noteText")
    browser.press(*"BUG-4711", "TAB", *"2h", "ENTER", says="its note or end changed.", focus=".row")
    browser.wait_row("maintenance_mode", "row.textContent.includes('BUG-4711 · ends in ')")
    browser.press("e", says="ends in ", place="noteEndNow", focus="#noteText")
    browser.press("TAB", *"never", "ENTER")
    browser.wait_row("maintenance_mode", "!row.textContent.includes('ends in')")


def check_scenarios():
    """A scenario is applied as it was shown, and undone; the badge names it and counts what deviates from it."""
    browser.server.save_scenario("a-demo", {"login_variant": "B", "gone": "1"})
    browser.override_shown()
    browser.press("s", focus="#scenarioList button")
    browser.press("ENTER", says="Adds 1.", place="previewSummary")
    browser.message("gone is left out", "previewLeftOut")
    browser.get("#previewDialog [value=replace]", "click()")
    browser.message("resets 1.", "previewSummary")
    browser.override("greeting_text", "Elsewhere")
    browser.press("TAB", "ENTER", says="made others meanwhile", place="previewError")
    browser.message("resets 2.", "previewSummary")
    browser.press("ENTER", says="a-demo is applied.")
    browser.message("1 changed · a-demo", "badge")
    browser.override("login_variant", "A")
    browser.message("1 changed · a-demo +1", "badge")
    browser.press("u", "u")
    browser.wait("no scenario", "return find('#badge').textContent === '2 changed'")


def check_scenario_files():
    """The changes are saved as a scenario, over an earlier one after a warning; it is renamed and deleted."""
    browser.override_shown()
    browser.press("s", focus="#scenariosDialog button")
    closed = "return !find('#nameDialog').open && find(`#scenarioList [aria-label='Rename mine']`)"
    browser.get("#saveScenario", "click()")
    browser.press(*"mine", "ENTER", says="as mine.")
    browser.wait("the saved scenario", closed)
    browser.get("#saveScenario", "click()")
    browser.press(*"mine", "ENTER", says="Save again to replace it.", place="nameError")
    browser.press("ENTER")
    browser.wait("the replaced scenario", closed)
    browser.get("#scenarioList [aria-label='Rename mine']", "click()")
    browser.expect_accessible("the dialog of a name")
    browser.type_over("yours")
    browser.press("ENTER", says="Renamed mine to yours.")
    browser.wait("the new name", "return find(`#scenarioList [aria-label='Delete yours']`)")
    browser.get("#scenarioList [aria-label='Delete yours']", "click()")
    browser.get("#deleteConfirmed", "click()")
    browser.message("Deleted yours.")
    browser.wait("the list without it", "return !find(`#scenarioList [aria-label='Delete yours']`)")
    browser.press("ESCAPE")


def check_menu():
    """A value that is none of the options is shown, and a menu below the focus is not changed."""
    browser.call("PUT", "overrides/maximum_item_count", {"value": "7", "any": True})
    key = "maximum_item_count"
    browser.wait_row(key, "row.dataset.kind === 'menu' && part('.chip') === '~ stale'")
    browser.edit("maximum", "select")
    browser.shows("the value in use", "focus.selectedOptions[0].textContent", "7 (not an option)")
    browser.override(key, "100")
    browser.wait_row(key, "part('.hint').includes('Now 100')")
    browser.shows("below the focus", "focus.value", "7")
    browser.press("ARROW_DOWN", says="maximum_item_count: 100 -> 10 (was override).")
    browser.press("ESCAPE")
    browser.wait_row(key, "row === focus && row.querySelector('[type=radio]:checked')?.value === '10'")


def check_tab_alone():
    browser.open("/#filter=greeting")
    # The group comes first, then its flag.
    browser.press("TAB", "ENTER", "TAB", "TAB")
    browser.shows("after skipping to the list", "[focus.className, location.hash]", ["value mono", "#filter=greeting"])
    browser.start()
    reached, keys = [], set()
    for _ in range(40):
        browser.press("TAB")
        name, key, has_ring = browser.run("""
            const ring = getComputedStyle(focus.matches('[type=radio]') ? focus.nextElementSibling : focus);
            const key = focus.closest('.row')?.querySelector('code').textContent;
            return [focus.id, key, ring.outlineStyle !== 'none'];""")
        if name in reached and name: break
        reached.append(name)
        if not key: continue
        keys.add(key)
        browser.expect(f"a visible focus on {name} of {key}", has_ring)
    browser.expect("all flags by Tab", keys, set(browser.flags()))
    controls = {"search", "only", "undo", "redo", "toClients", "keysButton"}
    browser.expect("controls that Tab does not reach", controls - set(reached), set())


def check_calm():
    """A change elsewhere disturbs neither focus, caret, scroll position, edit nor dialog."""
    browser.size((1280, 300))
    browser.edit("greeting")
    browser.press(*"half", "ARROW_LEFT", "ARROW_LEFT")
    browser.run("const {search} = window; search.value = ''; search.dispatchEvent(new Event('input'))")
    state = "return [focus.value, focus.selectionStart, scrollY]"
    before = browser.run(state)
    browser.expect("half-typed", before[:2], ["half", 2])
    browser.override("greeting_text", "Elsewhere")
    browser.override_shown()
    browser.message("Now Elsewhere, changed elsewhere.", "editError")
    browser.expect("after changes elsewhere", browser.run(state), before)
    browser.press("ESCAPE", focus=".row")
    browser.expect("the row shows the new value", browser.row("greeting_text", "part('.value')"), "Elsewhere")
    browser.press("X", focus="#resetDialog button")
    browser.override("login_variant", "B")
    browser.wait("the flag in the dialog", "return find('#resetList').children.length === 3")
    browser.focused("#resetDialog button")
    browser.press("ESCAPE")
    browser.size("desktop")


run(browser, vars(), starts=True)
