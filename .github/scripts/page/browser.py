"""A headless Chromium with the page of a running flagmenu serve, and what testers do with both."""
import json
import sys
from importlib.resources import files

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from common import Server, wait_until

SIZES = {"phone": (390, 844), "desktop": (1280, 800)}
# What scripts use: elements by a selector, and the one that has the focus.
ELEMENTS = """
    const all = (selector) => [...document.querySelectorAll(selector)];
    const find = (selector) => document.querySelector(selector);
    const focus = document.activeElement;
"""
# The row whose key is the first argument.
ROW = """
    const row = all('.row').find((row) => row.querySelector('code').textContent === arguments[0]);
    const part = (selector) => row.querySelector(selector).textContent;
"""


class Browser:
    def __init__(self):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        # The sandbox does not start in containers, where /dev/shm is small as well.
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--lang=en"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
        self.driver.set_script_timeout(60)
        self.failures, self.server = [], None
        self.command("Network.enable")
        self.size("desktop")
        self.media()

    # What the browser does.

    def command(self, name, **parameters): return self.driver.execute_cdp_cmd(name, parameters)

    def run(self, script, *arguments): return self.driver.execute_script(ELEMENTS + script, *arguments)

    def run_later(self, script):
        return self.driver.execute_async_script(f"const done = arguments[0]; {ELEMENTS} {script}")

    def get(self, selector, member): return self.run(f"return find(arguments[0]).{member}", selector)

    def count(self, selector):
        return self.run("return all(arguments[0]).filter((one) => one.checkVisibility()).length", selector)

    def open(self, path="/"):
        self.driver.get(self.server.url + path)
        self.wait("the list", "return find('.row, #clients tbody tr, #disconnected:not([hidden])')")

    def size(self, name, scale=1):
        width, height = SIZES.get(name, name)
        # Phones have a coarse pointer, which is part of the style.
        self.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)
        self.command("Emulation.setTouchEmulationEnabled", enabled=width < 600)

    def media(self, scheme="light", motion="no-preference"):
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": motion}])

    def looks(self):
        """Takes on each size and colour scheme, with its name."""
        for size in SIZES:
            for scheme in ("light", "dark"):
                self.size(size)
                self.media(scheme)
                yield f"{size}, {scheme}"
        self.size("desktop")
        self.media()

    def wait(self, what, script, *arguments, seconds=10):
        found = wait_until(lambda: self.run(script, *arguments), seconds, pause=0.01)
        if not found: raise AssertionError(f"{what}: not within {seconds} s")
        return found

    def press(self, *keys, says=None, place="message", focus=None):
        """Presses keys on what has the focus; a key is a character or a name such as ESCAPE. CONTROL stays down.
        Then waits for a message, or for the focus on another element."""
        chain = ActionChains(self.driver, duration=0)
        for key in keys:
            press = chain.key_down if key == "CONTROL" else chain.send_keys
            press(getattr(Keys, key) if len(key) > 1 and key.isupper() else key)
        if "CONTROL" in keys: chain.key_up(Keys.CONTROL)
        chain.perform()
        if says: self.message(says, place)
        if focus: self.focused(focus)

    def violations(self):
        """What axe-core finds, as `rule: element` lines."""
        if not self.run("return 'axe' in window"):
            # The page's policy allows no other scripts; the driver's own are exempt from it.
            self.run(files("axe_playwright_python").joinpath("axe.min.js").read_text())
        found = self.run_later(
            "axe.run(document, {resultTypes: ['violations']}).then(done, (error) => done({error: String(error)}))")
        if "error" in found: raise AssertionError(found["error"])
        return [
            f"{violation['id']}: {node['target'][0]}: {node['failureSummary'].splitlines()[-1].strip()}"
            for violation in found["violations"] for node in violation["nodes"]]

    # What the page shows.

    def expect(self, what, found, wanted=True):
        if found != wanted: self.failures.append(f"{what}: {found!r}, expected {wanted!r}")

    def shows(self, what, script, wanted=True): self.expect(what, self.run(f"return {script}"), wanted)

    def expect_below(self, what, found, limit):
        print(f"  {what}: {found:.1f} ms, at most {limit}")
        if not found < limit: self.failures.append(f"{what}: {found:.1f} ms, expected less than {limit}")

    def expect_accessible(self, what): self.expect(f"violations, {what}", self.violations(), [])

    def message(self, text, element="message"):
        script = f"return find('#{element}').textContent.includes(arguments[0])"
        self.wait(f"the message {text!r}", script, text)

    def focused(self, selector):
        self.wait(f"the focus on {selector}", "return focus.matches(arguments[0])", selector)

    def row(self, key, script): return self.run(f"{ROW} return {script}", key)

    def wait_row(self, key, script="row.dataset.state === 'overridden'"):
        self.wait(f"{key}: {script}", f"{ROW} return {script}", key)

    def type_over(self, text):
        """Replaces the text of the field that has the focus."""
        self.run("focus.select()")
        self.press(*text)

    def search(self, text):
        """Searches and selects the only row that is found."""
        self.press("ESCAPE", "/", focus="#search")
        self.type_over(text)
        self.press("ENTER", focus=".row")
        self.expect(f"rows with {text!r}", self.count(".row"), 1)

    def edit(self, text, control="#editor"):
        self.search(text)
        self.press("ENTER", focus=control)

    # The server, and changes that come from elsewhere.

    def serve(self, document, *arguments, **variables):
        """Serves a document, and opens its page with the link that allows changes."""
        self.use(Server(document, *arguments, **variables))

    def use(self, server):
        self.server = server
        self.driver.get(server.link)
        self.open()

    def start(self, client=""):
        """Opens the page without overrides."""
        self.call("DELETE", f"overrides{client}")
        # Another address with only another hash would not load the page.
        self.driver.get("about:blank")
        self.open()

    def call(self, method, path, body=None):
        status, answer = self.server.call(method, path, body)
        if status != 200: raise AssertionError(f"{method} {path}: {answer}")
        return answer

    def override(self, key, value): self.server.set(key, value)

    def override_shown(self):
        """Overrides one flag, and waits until the page shows it."""
        self.override("maintenance_mode", "true")
        self.wait_row("maintenance_mode")

    def flags(self, client=""): return {flag["key"]: flag for flag in self.call("GET", f"flags{client}")["flags"]}

    def value(self, key, client=""): return self.flags(client)[key]["value"]

    def evaluate(self, key, client):
        body = json.dumps({"context": {"targetingKey": client}})
        status = self.server.request("POST", f"/ofrep/v1/evaluate/flags/{key}", body)[0]
        if status != 200: raise AssertionError(f"{key} cannot be evaluated: {status}")

    def offline(self, is_offline):
        self.command(
            "Network.emulateNetworkConditions", offline=is_offline, latency=0, downloadThroughput=-1,
            uploadThroughput=-1)
        # Chromium's switch keeps open connections: the page notices as after a phone's sleep.
        if is_offline: self.run("document.dispatchEvent(new Event('visibilitychange'))")
        self.wait_connected(not is_offline)

    def wait_connected(self, is_connected):
        script = "return find('#disconnected').checkVisibility() !== arguments[0]"
        self.wait(f"connected: {is_connected}", script, is_connected, seconds=15)


def run(browser, names, starts=False):
    """Runs what is called check_... among the names of a script, each on its own: one that fails does not stop the next
    ones. Starts the page before each if asked to."""
    try:
        for name, check in names.items():
            if not name.startswith("check_"): continue
            before = len(browser.failures)
            try:
                if starts: browser.start()
                check()
            except Exception as error:
                browser.failures.append(f"{type(error).__name__}: {str(error).splitlines()[0]}")
            # Requests fail while there is no connection, which the browser logs; all else is an error of the page.
            expected = ("net::ERR_", "401", "409", "422", "507")
            messages = [entry["message"] for entry in browser.driver.get_log("browser")]
            messages = [text for text in messages if not any(word in text for word in expected)]
            browser.expect("console", messages, [])
            print(f"{'ok' if len(browser.failures) == before else 'FAILED'}: {name}", flush=True)
            for failure in browser.failures[before:]: print(f"  {failure}", file=sys.stderr)
    finally:
        browser.driver.quit()
    sys.exit(1 if browser.failures else 0)
