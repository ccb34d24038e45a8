"""A client in another language: prints a flag each time that its value changes."""
import sys
import time

from openfeature_client import Client

url, key = sys.argv[1:]
client, last = Client(url), None
while True:
    details = client.details(key, False)
    if (details.value, details.variant) != last:
        last = (details.value, details.variant)
        print(f"{key} = {str(details.value).lower()} ({details.variant})", flush=True)
    time.sleep(0.05)
