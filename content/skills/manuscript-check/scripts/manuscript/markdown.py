"""Reads one Markdown file as CommonMark and GitHub do: code, headings, anchors, definitions, blocks of text."""
import bisect
import html
import re
from dataclasses import dataclass, field
from pathlib import Path

CODE = "\ufffc"  # stands for code, images and addresses in prose: one word, never a blank

FENCE = re.compile(r"^[\s>]*(?:[-*+] +|\d+[.)] +)?(`{3,}|~{3,})(.*)$")
ATX = re.compile(r"^ {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$")
SETEXT = re.compile(r"^ {0,3}(=+|-+)[ \t]*$")
ITEM = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])\s+")
DEFINITION = re.compile(r"^ {0,3}\[(?!\^)((?:[^\[\]\\]|\\.)+)\]:[ \t]*(<[^<>\n]*>|\S+)")
FOOTNOTE = re.compile(r"^ {0,3}\[\^([^\]\s]+)\]:")
LINK = re.compile(
    r"(!?)\[((?:[^\[\]\\]|\\.|\[(?:[^\[\]\\]|\\.)*\])*)\]"
    r"(?:\(\s*(<[^<>\n]*>|(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))*)"
    r"(?:\s+(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)))?\s*\)|\[([^\[\]]*)\])", re.S)
NOTE_USE = re.compile(r"\[\^([^\]\s]+)\](?!:)")
SPAN = re.compile(r"(?<![`\\])(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.S)
TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*)((?:\s[^<>]*)?)>")
ATTRIBUTE = re.compile(r"([A-Za-z-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
ADDRESS = re.compile(r"<?https?://[^\s<>]+>?")


@dataclass
class Block:
    """A paragraph, list item, table or heading: its text, and the line each of its text lines stands on."""
    kind: str
    first: int
    text: str

    def __post_init__(self):
        self.breaks = [m.start() for m in re.finditer("\n", self.text)]

    def line(self, offset):
        return self.first + bisect.bisect_left(self.breaks, offset)


@dataclass
class Page:
    path: Path
    name: str
    lines: list = field(default_factory=list)
    code: set = field(default_factory=set)          # line numbers inside code or front matter
    titled: bool = False                            # the front matter gives the title
    open_fence: int = 0
    headings: list = field(default_factory=list)    # (line, level, text)
    anchors: set = field(default_factory=set)
    definitions: dict = field(default_factory=dict) # label -> (line, target)
    notes: set = field(default_factory=set)
    blocks: list = field(default_factory=list)


def blank(match_or_text, filler=" "):
    text = match_or_text if isinstance(match_or_text, str) else match_or_text.group(0)
    return re.sub(r"[^\n]", filler, text)


def label(text):
    return " ".join(text.split()).casefold()


def read_page(path, name):
    page = Page(path, name)
    page.lines = [line.rstrip("\r") for line in path.read_bytes().decode("utf-8-sig").split("\n")]
    start = skip_front_matter(page)
    mark_code(page, start)
    kept = ["" if n in page.code else line for n, line in enumerate(page.lines, 1)]
    kept = re.sub(r"<!--.*?(?:-->|\Z)", blank, "\n".join(kept), flags=re.S).split("\n")
    split_blocks(page, kept)
    collect_anchors(page)
    return page


def skip_front_matter(page):
    if page.lines[0].strip() != "---":
        return 1
    for n, line in enumerate(page.lines[1:], 2):
        if line.strip() in ("---", "..."):
            page.code.update(range(1, n + 1))
            page.titled = any(re.match(r"title\s*:", head) for head in page.lines[1:n])
            return n + 1
    return 1


def mark_code(page, start):
    """Fenced code, and code indented by four after a blank line outside a list."""
    fence, in_list, before = "", False, "blank"
    for n, line in enumerate(page.lines, 1):
        if n < start:
            continue
        mark = FENCE.match(line)
        if fence:
            page.code.add(n)
            if mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence) and not mark[2].strip():
                fence, page.open_fence, before = "", 0, "blank"
        elif mark and not (mark[1][0] == "`" and "`" in mark[2]):
            fence, page.open_fence = mark[1], n
            page.code.add(n)
        elif not line.strip():
            before = "code" if before == "code" else "blank"
        else:
            indented = line.startswith(("    ", "\t"))
            if indented and before != "text" and not in_list:
                page.code.add(n)
                before = "code"
            else:
                in_list = bool(ITEM.match(line)) or (in_list and line[0] in " \t>") or (in_list and before == "text")
                before = "text"


def split_blocks(page, kept):
    rows = []  # of the block being gathered

    def close(kind="text"):
        if rows:
            page.blocks.append(Block(kind, rows[0][0], SPAN.sub(lambda m: blank(m, CODE), "\n".join(r for _, r in rows))))
        rows.clear()

    for n, row in enumerate(kept, 1):
        row = re.sub(r"^(?: {0,3}>)+", blank, row)
        atx, definition, footnote = ATX.match(row), DEFINITION.match(row), FOOTNOTE.match(row)
        if not row.strip():
            close()
        elif atx:
            close()
            add_heading(page, n, len(atx[1]), atx[2] or "")
            rows.append((n, blank(atx[1]) + row[row.index("#") + len(atx[1]):]))
            close("heading")
        elif SETEXT.match(row) and rows and not ITEM.match(rows[0][1]) and "|" not in rows[-1][1]:
            add_heading(page, rows[-1][0], 1 if "=" in row else 2, " ".join(text for _, text in rows))
            close("heading")
        elif definition:
            close()
            page.definitions[label(definition[1])] = (n, definition[2])
        elif row.lstrip().startswith("|"):
            if rows and not rows[-1][1].lstrip().startswith("|"):
                close()
            rows.append((n, row))
        else:
            if footnote:
                page.notes.add(footnote[1])
            if footnote or ITEM.match(row) or (rows and rows[-1][1].lstrip().startswith("|")):
                close()
            rows.append((n, row))
    close()


def add_heading(page, line, level, text):
    page.headings.append((line, level, text.strip()))


def plain_heading(text):
    text = re.sub(r"\s*\{#[^}]+\}\s*$", "", text)
    text = LINK.sub(lambda m: m[2], text)
    text = TAG.sub("", text).replace("`", "").replace("*", "")
    return html.unescape(re.sub(r"(?<!\w)_+|_+(?!\w)", "", text)).strip()


def collect_anchors(page):
    """Anchors as GitHub makes them, with -1, -2 for repeats, and those written by hand."""
    for _, _, text in page.headings:
        own = re.search(r"\{#([^}\s]+)[^}]*\}\s*$", text)
        slug = re.sub(r"[^\w\- ]", "", plain_heading(text).lower()).replace(" ", "-")
        made, count = slug, 0
        while made in page.anchors:
            count += 1
            made = f"{slug}-{count}"
        page.anchors.add(own[1] if own else made)
    for block in page.blocks:
        for tag in TAG.finditer(block.text):
            page.anchors.update(value for key, value in attributes(tag[3]).items() if key in ("id", "name"))


def attributes(text):
    return {m[1].lower(): html.unescape(next(g for g in m.groups()[1:] if g is not None)) for m in ATTRIBUTE.finditer(text)}


def prose(block):
    """The block's text as a reader sees it, each character still on its line."""
    def link(m):
        if m[1]:
            return blank(m, CODE)
        shown = m.start(2) - m.start(), m.end(2) - m.start()
        return blank(m[0][:shown[0]]) + LINK.sub(link, m[2]) + blank(m[0][shown[1]:])
    text = LINK.sub(link, block.text)
    return NOTE_USE.sub(blank, TAG.sub(blank, ADDRESS.sub(lambda m: blank(m, CODE), text)))
