"""What is checked in the pages of a manuscript. Every code is explained in references/findings.md."""
import html
import os
import re
from urllib.parse import unquote

from manuscript.markdown import CODE, LINK, NOTE_USE, TAG, Page, attributes, label, plain_heading, prose, read_page

LEVELS = {
    "not-utf8": "error", "fence-open": "error", "link-missing": "error", "anchor-missing": "error",
    "image-missing": "error",
    "reference-missing": "warning", "link-outside": "warning", "alt-missing": "warning", "heading-jump": "warning",
    "heading-duplicate": "warning", "doubled-word": "warning", "quote-mix": "warning",
    "sentence-long": "warning", "trailing-space": "note",
}
ABBREVIATIONS = set("mr mrs ms dr prof st jr sr vs cf ca no nos fig figs vol ch pp p approx e.g i.e etc al".split())
STRAIGHT, CURLY = "\"'", "“”‘’"

DOUBLED = re.compile(r"(?<![\w'’-])([^\W\d_]+)[*_]*\s[*_\s]*(\1)(?![\w'’-])", re.I)
SENTENCE_END = re.compile(r"[.!?…]+[\"'”’»)\]*_]*(?=\s|$)|[。！？]")
NEXT = re.compile(r"\s*(\S?)")
WORD = re.compile(r"[\w\ufffc][\w'’\ufffc-]*")
SCHEME = re.compile(r"^(?:[A-Za-z][A-Za-z0-9+.-]*:|//)")


class Check:
    def __init__(self, root, options):
        self.root, self.options = root, options
        self.findings, self.pages, self.listings, self.words = [], {}, {}, 0

    def report(self, page, line, code, message):
        if code not in self.options.ignore:
            self.findings.append({"level": LEVELS[code], "code": code, "path": page.name, "line": line, "message": message})

    def run(self, files):
        for path in files:
            name = path.relative_to(self.root).as_posix()
            try:
                self.pages[os.path.normpath(path)] = read_page(path, name)
            except UnicodeDecodeError as error:
                self.report(Page(path, name), path.read_bytes().count(b"\n", 0, error.start) + 1, "not-utf8",
                            f"byte {error.start} is not UTF-8: save the file as UTF-8; nothing in it was checked")
        for page in self.pages.values():
            self.fences_and_spaces(page)
            self.headings(page)
            for block in page.blocks:
                self.links(page, block, block.text, 0)
                self.prose(page, block)
            for line, target in page.definitions.values():
                self.target(page, line, target, "link")
        self.titles()
        self.quotes()
        self.findings.sort(key=lambda f: (f["path"], f["line"], f["code"]))

    def fences_and_spaces(self, page):
        if page.open_fence:
            self.report(page, page.open_fence, "fence-open",
                        "this code fence is never closed, so the rest of the file is code and was not checked")
        loose = [n for n, line in enumerate(page.lines, 1) if n not in page.code and line != line.rstrip()]
        breaks = [n for n in loose if re.search(r"\S  $", page.lines[n - 1]) and "".join(page.lines[n:n + 1]).strip()]
        if loose:
            self.report(page, loose[0], "trailing-space",
                        f"{len(loose)} line(s) end in white space, {len(breaks)} of them hard line breaks; the first is here")

    def headings(self, page):
        level, seen = 1 if page.titled else 0, {}
        for line, depth, text in page.headings:
            plain = plain_heading(text)
            if depth > level + 1:
                came = f"after level {level}" if level else "as the first heading"
                self.report(page, line, "heading-jump", f'heading "{plain}" is level {depth} {came}: level {level + 1} is missing')
            first = seen.setdefault(plain.casefold(), line)
            if first != line:
                self.report(page, line, "heading-duplicate", f'heading "{plain}" already stands at line {first}; links reach only that one by name')
            level = depth

    def titles(self):
        seen = {}
        for page in self.pages.values():
            for line, depth, text in page.headings[:1]:
                other = seen.setdefault(plain_heading(text).casefold(), (page.name, line)) if depth == 1 else None
                if other and other != (page.name, line):
                    self.report(page, line, "heading-duplicate", f'title "{plain_heading(text)}" is also the title of {other[0]}:{other[1]}')

    def links(self, page, block, text, shift):
        for m in LINK.finditer(text):
            line, image = block.line(shift + m.start()), bool(m[1])
            if m[3] is not None:
                self.target(page, line, m[3], "image" if image else "link")
            elif text[:m.start()][-1:].isalnum():
                continue  # list[0][1] in running text
            elif label(m[4] or m[2]) not in page.definitions:
                self.report(page, line, "reference-missing", f'"[{m[4] or m[2]}]" is defined nowhere in this file')
            if image and not m[2].strip():
                self.report(page, line, "alt-missing", f"image {m[3] or m[4]} has no text for readers who cannot see it")
            if not image:
                self.links(page, block, text[m.start(2):m.end(2)], shift + m.start(2))
        if shift:
            return
        for m in NOTE_USE.finditer(text):
            if m[1] not in page.notes and label("^" + m[1]) not in page.definitions:
                self.report(page, block.line(m.start()), "reference-missing", f'footnote "[^{m[1]}]" is defined nowhere in this file')
        for m in TAG.finditer(text):
            line, has = block.line(m.start()), attributes(m[3])
            if m[2].lower() == "img" and "src" in has:
                self.target(page, line, has["src"], "image")
                if "alt" not in has:
                    self.report(page, line, "alt-missing", f'image {has["src"]} has no alt attribute; write alt="" if it is decoration')
            if m[2].lower() == "a" and "href" in has:
                self.target(page, line, has["href"], "link")

    def target(self, page, line, raw, kind):
        address = html.unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", raw.strip("<>")))
        if SCHEME.match(address):
            return
        place, _, fragment = address.partition("#")
        place, fragment = unquote(place.partition("?")[0]), unquote(fragment)
        base = self.root if place.startswith("/") else page.path.parent
        found = os.path.normpath(base / place.lstrip("/")) if place else os.path.normpath(page.path)
        if "\0" in found or not (os.path.isfile(found) if kind == "image" else os.path.exists(found)):
            near = self.other_case(found)
            hint = f'; a file named "{near}" is there, and many systems tell capitals apart' if near else ""
            self.report(page, line, f"{kind}-missing", f'{kind} to "{raw}" leads to no file{hint}')
        elif os.path.relpath(found, self.root).startswith(".."):
            self.report(page, line, "link-outside", f'{kind} to "{raw}" leads out of the folder and will break once it is packed')
        elif self.other_case(found):
            self.report(page, line, f"{kind}-missing", f'{kind} to "{raw}" differs in capitals from the file "{self.other_case(found)}"')
        elif fragment and fragment != "top" and found in self.pages:
            self.anchor(page, line, raw, fragment, self.pages[found])

    def other_case(self, found):
        """The file's true name where it differs from the asked one in capitals alone, else None."""
        folder, name = os.path.split(found)
        if folder not in self.listings:
            self.listings[folder] = os.listdir(folder) if "\0" not in folder and os.path.isdir(folder) else []
        names = self.listings[folder]
        return None if name in names else next((n for n in names if n.casefold() == name.casefold()), None)

    def anchor(self, page, line, raw, fragment, other):
        if fragment in other.anchors:
            return
        near = next((a for a in sorted(other.anchors) if a.casefold() == fragment.casefold()), None)
        hint = f': write "#{near}"' if near else ""
        self.report(page, line, "anchor-missing", f'link to "{raw}": {other.name} has no heading or anchor "{fragment}"{hint}')

    def prose(self, page, block):
        text = prose(block)
        self.words += len(WORD.findall(text))
        for m in DOUBLED.finditer(text):
            if m[1].casefold() not in self.options.allow_double:
                self.report(page, block.line(m.start(2)), "doubled-word", f'"{m[1]} {m[2]}": the word stands twice')
        if block.kind == "heading" or text.lstrip().startswith("|"):
            return
        for start, sentence in sentences(text):
            words = WORD.findall(sentence)
            if len(words) > self.options.max_words:
                opening = " ".join(sentence.split()[:6]).replace(CODE, "")
                self.report(page, block.line(start), "sentence-long",
                            f'sentence of {len(words)} words (limit {self.options.max_words}): "{opening}…"')

    def quotes(self):
        """One style in each file, and one in the manuscript; feet and inches (5'10\") are no quotation marks."""
        styles = {}
        for page in self.pages.values():
            found = {"straight": [], "curly": []}
            for block in page.blocks:
                text = prose(block)
                for m in re.finditer(f"(?<!\\d)[{STRAIGHT}]|[{CURLY}]", text):
                    found["straight" if m[0] in STRAIGHT else "curly"].append((block.line(m.start()), m[0]))
            few, many = sorted(found, key=lambda style: len(found[style]))
            if found[few]:
                line, mark = found[few][0]
                self.report(page, line, "quote-mix", f"{len(found[few])} {few} quotation mark(s) or apostrophe(s) among "
                                                     f"{len(found[many])} {many} ones; the first is this {mark}")
            elif found[many]:
                styles.setdefault(many, []).append((page, found[many][0][0]))
        if len(styles) == 2:
            few, many = sorted(styles, key=lambda style: len(styles[style]))
            for page, line in styles[few]:
                self.report(page, line, "quote-mix", f"this file has {few} quotation marks, {len(styles[many])} other file(s) {many} ones")


def sentences(text):
    """Pairs of offset and sentence; a full stop after an abbreviation or before a small letter ends none."""
    start = 0
    for m in SENTENCE_END.finditer(text):
        last = re.search(r"[\w.]*$", text[max(start, m.start() - 20):m.start()])[0].casefold()
        after = NEXT.match(text, m.end())[1]
        if m[0][0] == "." and (last in ABBREVIATIONS or (len(last) == 1 and last.isalpha()) or after.islower()):
            continue
        yield NEXT.match(text, start).start(1), text[start:m.end()]
        start = m.end()
    yield NEXT.match(text, start).start(1), text[start:]
