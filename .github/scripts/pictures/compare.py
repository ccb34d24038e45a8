"""Compares the texts and pictures that were made with those in screenshots/."""
import pathlib
import subprocess

from pictures.terminals import run

THERE = pathlib.Path(__file__).resolve().parents[3] / "screenshots"


def seal(text):
    """The comment of a picture that identifies its text."""
    return "text " + run("cksum", input=text.encode()).decode().strip().replace(" ", "-")


def differences(stage, name):
    """Why a picture no longer shows the program."""
    text, there, found = (stage.made / f"{name}.txt").read_text(), THERE / f"{name}.txt", []
    if subprocess.run(["diff", "-u", str(there), str(stage.made / there.name)]).returncode: found.append("its text")
    # A text without its picture, or a picture without its text, was not made by this script.
    pictures = [path for path in (THERE / f"{name}.png", THERE / f"{name}.gif") if path.exists()]
    sealed = seal(there.read_text()).encode() if there.exists() else b"none"
    if not any(sealed in path.read_bytes() for path in pictures): found.append("the text of its picture")
    new, old = stage.made / f"{name}.png", THERE / f"{name}.png"
    if not (new.exists() and old.exists()): return found
    # Letters of another font version or smoothing differ slightly everywhere, so only pictures from the same tools
    # are compared.
    if run("identify", "-format", "%c", str(old)).decode().split("; text ")[0] != stage.xterm.maker:
        print(f"  {name}.png was made with other versions, so only its text is compared.")
        return found
    pixels = subprocess.run(
        ["compare", "-metric", "AE", "-fuzz", "8%", str(old), str(new), "null:"], capture_output=True, text=True)
    # The number of pixels of one letter.
    if not pixels.stderr.isdigit() or int(pixels.stderr) > 60: found.append(f"{pixels.stderr} pixels")
    return found
