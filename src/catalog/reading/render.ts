import { closeSync, mkdirSync, openSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isMarkdown } from '../../item/markdown-path.ts';
import { renderMarkdown } from '../../markup/markdown.ts';
import { outlineText } from '../../markup/outline.ts';
import { renderPlain } from '../../markup/plain-text.ts';
import type { FileRecord } from '../file-record.ts';
import { createItemLinks, OUTSIDE_LINKS } from './item-links.ts';
import { encodePage } from './page-file.ts';
import type { EmbeddedText, StoredText, TextJob } from './render-job.ts';

/** Renders texts. Throws what the system throws. */
export function render(job: TextJob) {
  if (job.task === 'outlines')
    return job.texts.map((text) => outlineText(readStored(text), isMarkdown(text.path)));
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

function renderEmbedded({ markdown, level, place }: EmbeddedText): string | null {
  const links =
    place === null
      ? OUTSIDE_LINKS
      : createItemLinks({ ...place, files: new Set(place.files), texts: new Set(place.texts) });
  return renderMarkdown(markdown, { links, shift: level - 1, anchors: false })?.html ?? null;
}

function readStored({ artefact, start, end }: StoredText): string {
  const bytes = Buffer.alloc(end - start);
  const descriptor = openSync(artefact, 'r');
  try {
    readSync(descriptor, bytes, 0, bytes.length, start);
  } finally {
    closeSync(descriptor);
  }
  return (JSON.parse(bytes.toString()) as FileRecord).content;
}
