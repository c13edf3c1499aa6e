import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isMarkdown } from '../catalog/path.rule.ts';
import { pictureOf } from '../catalog/picture.rule.ts';
import { type Outline, outlineText, renderMarkdown } from './markup/markdown.ts';
import { renderPlain } from './markup/plain-text.ts';
import { wholeEscapes, isEscaped } from '../catalog/file-content.ts';
import { readSlice } from '../platform/base/file-slice.ts';
import { decoded, picturesIn, resolveLink } from '../platform/base/markdown-link.ts';
import { createItemLinks, type Links, OUTSIDE_LINKS, type PictureSizes } from './item-links.ts';
import { markedHtml } from './markup/rendered.ts';
import { languageFor, wordsIn } from '../words/words.ts';
import {
  type EmbeddedText,
  encodePage,
  PART,
  type StoredPictures,
  type StoredText,
  type TextJob,
  type TextPart,
} from './page-file.ts';

const COLLECTED = 256 * 1024;

export async function render(job: TextJob) {
  if (job.task === 'outlines') return outlineAll(job.texts, new Set(job.math));
  if (job.task === 'parts') return [...partsOf(job.text)];
  if (job.task === 'text') return renderEmbedded(job);
  const { text, item, files, texts, pictures, asPlain, out } = job;
  const content = readStored(text);
  const isPlain = asPlain || !isMarkdown(text.path);
  const sizes = isPlain ? undefined : await findSizes(content, text.path, storedBytes(pictures));
  const from = text.path;
  const { bookText: words } = wordsIn(languageFor(item.language));
  const links = createItemLinks({ ...item, from, files: new Set(files), texts: new Set(texts), sizes });
  const rendered = isPlain ? null : renderMarkdown(content, { links, words, math: item.math });
  const bytes = encodePage(
    rendered ?? renderPlain(content, text.path, words),
    rendered === null,
    asPlain ? Date.now() : null,
  );
  mkdirSync(dirname(out), { recursive: true, mode: 0o700 });
  writeFileSync(`${out}.new`, bytes, { mode: 0o600 });
  renameSync(`${out}.new`, out);
  collectAfter(content);
  return true;
}

async function renderEmbedded(text: EmbeddedText) {
  const { markdown, language, math = false, level, marked = [], place, images, pictures } = text;
  const bytesOf =
    pictures === undefined ? (path: string) => bytesIn(images?.bytes[path]) : storedBytes(pictures);
  const sizes = await findSizes(markdown, place?.from ?? '', bytesOf);
  const pathOf = (target: string): string => resolveLink(decoded(target), '');
  const links: Links =
    place === null
      ? {
          ...OUTSIDE_LINKS,
          image: (target) => images?.urls[pathOf(target)] ?? null,
          sizeOf: (target) => sizes.get(pathOf(target)),
        }
      : createItemLinks({ ...place, files: new Set(place.files), texts: new Set(place.texts), sizes });
  const { bookText: words } = wordsIn(languageFor(language));
  const rendered = renderMarkdown(markdown, { links, words, math, shift: level - 1, anchors: false });
  return rendered === null ? null : markedHtml(rendered, marked);
}

/** How many base64 characters of a picture are read to find its size: a JPEG may hold a preview of itself before the size. */
const HEAD = 128 * 1024;
const MOST_PICTURES = 500;

type Bytes = (path: string) => Buffer | null;

async function findSizes(markdown: string, from: string, bytesOf: Bytes): Promise<PictureSizes> {
  const sizes = new Map<string, Size>();
  const paths = markdown.includes('![') ? picturesIn(markdown, from) : [];
  for (const path of paths.slice(0, MOST_PICTURES)) {
    const bytes = bytesOf(path);
    const size = bytes === null ? null : await sizeOf(path, bytes);
    if (size !== null) sizes.set(path, size);
  }
  return sizes;
}

const storedBytes =
  ({ artefact, slices }: StoredPictures): Bytes =>
  (path) => {
    const slice = Object.hasOwn(slices, path) ? slices[path] : undefined;
    if (slice === undefined) return null;
    const head = readSlice(artefact, slice.start, Math.min(slice.end, slice.start + HEAD));
    return isDrawn(path) ? head : bytesIn(head.toString('latin1'));
  };

const bytesIn = (base64: string | undefined): Buffer | null =>
  base64 === undefined ? null : Buffer.from(base64, 'base64');

const isDrawn = (path: string): boolean => pictureOf(path)?.page === 'drawing';

// These match an SVG inside a JSON string, where its quotation marks are escaped.
const VIEW_BOX = /<svg\b[^<>]*\sviewBox=\\?["']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)/;
const WIDTH = /<svg\b[^<>]*\swidth=\\?["'][\d.]/;
/** The width in pixels assumed for an SVG that does not give its size: such a drawing fills the column. */
const WIDE = 1000;

type Size = { readonly width: number; readonly height: number };

/** Finds a picture's size from its first bytes. Null if they do not contain it, or for an SVG that sets its own width. */
async function sizeOf(path: string, head: Buffer): Promise<Size | null> {
  if (!isDrawn(path)) return new Bun.Image(head).metadata().catch(() => null);
  const text = head.toString('latin1');
  const [, width, height] = WIDTH.test(text) ? [] : (VIEW_BOX.exec(text) ?? []);
  const ratio = Number(height) / Number(width);
  return ratio > 0 && ratio < 100 ? { width: WIDE, height: Math.round(WIDE * ratio) } : null;
}

/**
 * Divides a text into parts of at most `PART` bytes: in the second half of that length after a blank line, else after a line,
 * else at its end between two characters. Keeps one part in memory.
 */
function* partsOf({ path, artefact, start, end }: StoredText): Generator<TextPart> {
  for (let [from, at] = [start, 0]; from < end;) {
    const most = { path, artefact, start: from, end: Math.min(end, from + PART) };
    const to = most.end === end ? end : from + cutAt(readBytes(most));
    yield { start: from, end: to, at };
    at += readStored({ ...most, end: to }).length;
    from = to;
  }
}

function cutAt(bytes: Buffer): number {
  for (const end of ['\\n\\n', '\\n'])
    for (let at = bytes.lastIndexOf(end); at > bytes.length / 2; at = bytes.lastIndexOf(end, at - 1))
      if (!isEscaped(bytes, at)) return at + end.length;
  return wholeEscapes(bytes);
}

/** Outlines texts. Formulas are looked for until the first is found, since that takes long. */
const outlineAll = (texts: readonly StoredText[], math: Set<string>): readonly Outline[] =>
  texts.map((text) => {
    const outline = outlineStored(text, math.has(text.path));
    if (outline.hasMath) math.clear();
    return outline;
  });

function outlineStored(text: StoredText, math: boolean): Outline {
  const content = readStored(text);
  const outline = outlineText(content, isMarkdown(text.path), math);
  collectAfter(content);
  return outline;
}

/** Collects the garbage at once after rendering a long text: it may be a hundred times as large as the text. */
function collectAfter(content: string): void {
  if (content.length > COLLECTED) Bun.gc(true);
}

const readStored = (text: StoredText): string => JSON.parse(`"${readBytes(text).toString()}"`) as string;

const readBytes = ({ artefact, start, end }: StoredText): Buffer => readSlice(artefact, start, end);
