"""A headless Chromium with the page, as the checks and the pictures need it."""
import time
from importlib.resources import files

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

SIZES = {"phone": (390, 844), "desktop": (1280, 800)}
SCHEMES = ("light", "dark")


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

    def command(self, name, **parameters): return self.driver.execute_cdp_cmd(name, parameters)

    def run(self, script, *arguments): return self.driver.execute_script(script, *arguments)

    def open(self, url):
        self.driver.get(url)
        self.wait("the list", "return document.querySelector('.row, #clients tbody tr, #disconnected:not([hidden])')")

    def size(self, width, height, scale=1):
        # Phones have a coarse pointer, which is part of the style.
        phone = width < 600
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)
        self.command("Emulation.setTouchEmulationEnabled", enabled=phone)

    def offline(self, is_offline):
        self.command("Network.enable")
        self.command(
            "Network.emulateNetworkConditions", offline=is_offline, latency=0, downloadThroughput=-1, uploadThroughput=-1)

    def media(self, scheme="light", motion="no-preference"):
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": motion}])

    def wait(self, what, script, *arguments, seconds=10):
        limit = time.monotonic() + seconds
        while True:
            found = self.run(script, *arguments)
            if found: return found
            if time.monotonic() > limit: raise AssertionError(f"{what}: not within {seconds} s")
            time.sleep(0.01)

    def press(self, *keys):
        """Presses keys on what has the focus; a key is a character or a name such as ESCAPE."""
        chain = ActionChains(self.driver, duration=0)
        for key in keys: chain.send_keys(getattr(Keys, key) if len(key) > 1 and key.isupper() else key)
        chain.perform()

    def press_with_control(self, key):
        ActionChains(self.driver, duration=0).key_down(Keys.CONTROL).send_keys(getattr(Keys, key)).key_up(Keys.CONTROL).perform()

    def violations(self):
        """What axe-core finds, as `rule: element` lines."""
        if not self.run("return 'axe' in window"):
            # The page's policy allows no other scripts; the driver's own are exempt from it.
            self.driver.execute_script(files("axe_playwright_python").joinpath("axe.min.js").read_text())
        found = self.driver.execute_async_script(
            "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then(done, (e) => done({error: String(e)}))")
        if "error" in found: raise AssertionError(found["error"])
        return [
            f"{violation['id']}: {node['target'][0]}: {node['failureSummary'].splitlines()[-1].strip()}"
            for violation in found["violations"] for node in violation["nodes"]]

    def console_messages(self): return [entry["message"] for entry in self.driver.get_log("browser")]

    def quit(self): self.driver.quit()
