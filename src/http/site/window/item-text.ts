import type { Principal } from '../../../access/principal.ts';
import type { Edition } from '../../../catalog/edition.ts';
import { splitSkill } from '../../../item/front-matter.ts';
import type { Service } from '../../../service/service.ts';
import { type MarkdownHome, renderMarkdown } from '../parts/markdown.ts';

/** A text of an item as its page shows it: HTML that is let through the allow-list. */
export type ItemText = { readonly path: string; readonly html: string };

/** Longer texts are for reading elsewhere; in bytes. */
const MOST = 128 * 1024;

/** Characters of rendered texts that are kept: whoever walks through ten thousand items must not fill the memory. */
const MOST_KEPT = 16 * 1024 * 1024;

const known = new Map<Edition, Map<string, Promise<string>>>();
let kept = 0;

/**
 * What of an item may be read on its page: of a skill the body of SKILL.md, of a book its first sample that is Markdown.
 * Null where it has none, or none for this reader. `isOpen` is whether the reader may read all of it.
 */
export async function itemText(
  service: Service,
  visitor: Principal,
  edition: Edition,
  isOpen: boolean,
): Promise<ItemText | null> {
  const { kind, sample } = edition.manifest;
  const path = kind === 'skill' ? 'SKILL.md' : sample.find((one) => /\.(md|markdown)$/i.test(one));
  const text = path === undefined ? null : await service.readText(visitor, edition, path, MOST);
  if (path === undefined || text === null) return null;
  const body = kind === 'skill' ? splitSkill(text).body : text;
  return { path, html: await renderOnce(edition, isOpen, body, homeOf(edition, path, isOpen)) };
}

/** Rendered once for an edition and each kind of reader: of those who may read less, no link leads to what is closed. */
function renderOnce(edition: Edition, isOpen: boolean, body: string, home: MarkdownHome): Promise<string> {
  const rendered = known.get(edition) ?? new Map<string, Promise<string>>();
  known.set(edition, rendered);
  const html = rendered.get(String(isOpen)) ?? renderMarkdown(body, { level: 3, home }).then(count);
  rendered.set(String(isOpen), html);
  return html;
}

/** Beyond what may be kept all is forgotten, and rendered again when it is asked for. */
function count(html: string): string {
  kept += html.length;
  if (kept <= MOST_KEPT) return html;
  known.clear();
  kept = 0;
  return html;
}

function homeOf({ manifest, files }: Edition, from: string, isOpen: boolean): MarkdownHome {
  const paths = new Set(isOpen ? files.map(({ path }) => path) : manifest.sample);
  return { from, has: (path) => paths.has(path), files: filesUrl(manifest) };
}

/** Below which an item's files are served. */
function filesUrl({ kind, slug }: Edition['manifest']): string {
  return `/${kind}s/${slug}/files/`;
}

/** Where one file of an item is served. */
export function fileUrl(edition: Edition, path: string): string {
  return filesUrl(edition.manifest) + path.split('/').map(encodeURIComponent).join('/');
}
