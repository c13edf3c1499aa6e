import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isMarkdown } from '../item/path.ts';
import { type Outline, outlineText, renderMarkdown } from '../markup/markdown.ts';
import { renderPlain } from '../markup/plain-text.ts';
import { readSlice, wholeEscapes } from './file-content.ts';
import { decoded, resolveLink } from '../item/link.ts';
import { createItemLinks, OUTSIDE_LINKS } from './item-links.ts';
import type { Links } from '../markup/rendered.ts';
import {
  type EmbeddedText,
  encodePage,
  PART,
  type StoredText,
  type TextJob,
  type TextPart,
} from './page-file.ts';

/** Renders texts. Throws what the system throws. */
export function render(job: TextJob) {
  if (job.task === 'outlines') return job.texts.map(outlineStored);
  if (job.task === 'parts') return [...partsOf(job.text)];
  if (job.task === 'text') return renderEmbedded(job);
  const { text, item, files, texts, asPlain, out } = job;
  const content = readStored(text);
  const links = createItemLinks({ ...item, from: text.path, files: new Set(files), texts: new Set(texts) });
  const rendered = asPlain || !isMarkdown(text.path) ? null : renderMarkdown(content, { links });
  const bytes = encodePage(
    rendered ?? renderPlain(content, text.path),
    rendered === null,
    asPlain ? Date.now() : null,
  );
  mkdirSync(dirname(out), { recursive: true, mode: 0o700 });
  writeFileSync(`${out}.new`, bytes, { mode: 0o600 });
  renameSync(`${out}.new`, out);
  return true;
}

function renderEmbedded({ markdown, level, place, images = {} }: EmbeddedText): string | null {
  const links: Links =
    place === null
      ? { ...OUTSIDE_LINKS, image: (target) => images[resolveLink(decoded(target), '')] ?? null }
      : createItemLinks({ ...place, files: new Set(place.files), texts: new Set(place.texts) });
  return renderMarkdown(markdown, { links, shift: level - 1, anchors: false })?.html ?? null;
}

/** Cuts a text behind blank lines, else behind lines, else between two characters. Needs the memory of one part. */
function* partsOf({ path, artefact, start, end }: StoredText): Generator<TextPart> {
  for (let [from, at] = [start, 0]; from < end;) {
    const most = { path, artefact, start: from, end: Math.min(end, from + PART) };
    const to = most.end === end ? end : from + cutAt(readBytes(most));
    yield { start: from, end: to, at };
    at += readStored({ ...most, end: to }).length;
    from = to;
  }
}

/** Where to cut bytes of the file JSON. */
function cutAt(bytes: Buffer): number {
  for (const end of ['\\n\\n', '\\n'])
    for (let at = bytes.lastIndexOf(end); at > bytes.length / 2; at = bytes.lastIndexOf(end, at - 1))
      if (!isEscaped(bytes, at)) return at + end.length;
  return wholeEscapes(bytes);
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let first = at;
  while (bytes[first - 1] === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}

const BACKSLASH = 0x5c;

/** Outlines a text, a long one by its first part. */
function outlineStored(text: StoredText): Outline {
  const [part = text] = partsOf(text);
  const { title, words } = outlineText(readStored({ ...text, ...part }), isMarkdown(text.path));
  const share = (text.end - text.start) / (part.end - part.start || 1);
  return { title, words: Math.round(words * share) };
}

function readStored(text: StoredText): string {
  return JSON.parse(`"${readBytes(text).toString()}"`) as string;
}

function readBytes({ artefact, start, end }: StoredText): Buffer {
  return readSlice(artefact, start, end);
}
