"""Pictures of the page in both sizes and colour schemes, with the flags and overrides of screenshots/.

usage: pictures.py ROOT FOLDER
"""
import json
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

import api
from browser import SCHEMES, SIZES, Browser

root, folder = Path(sys.argv[1]), Path(sys.argv[2])
shop = root / ".github/scripts/pictures/shop"
flags = api.Flags(api.read_document(str(shop / "remote.json")), json.loads((shop / "defaults.json").read_text()))
three_days_ago = (datetime.now(timezone.utc) - timedelta(days=3)).isoformat(timespec="seconds")
for key, value in {
    "express_checkout": "true", "passkeys_enabled": "true", "store_finder_view": "globe", "payment_timeout": "soon",
    "search_suggestions": "personal"}.items():
    flags.own(None)[key] = {"value": value, "setBy": "ana", "setAt": three_days_ago}
server = api.start(root / "Sources/FlagServer/Page", flags, app="shop", source="remote.json")
browser = Browser()
try:
    browser.open(server.link)
    for size in SIZES:
        for scheme in SCHEMES:
            browser.size(*SIZES[size])
            browser.media(scheme)
            browser.open(f"{server.url}/?{size}-{scheme}")
            browser.driver.save_screenshot(str(folder / f"{size}-{scheme}.png"))
finally:
    browser.quit()
