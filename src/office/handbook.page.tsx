import { officeOf } from '../platform/site/words.tsx';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { Rendered } from '../catalog/items.part.tsx';
import { notFound } from '../platform/base/told.ts';
import { createIds } from '../reading/markup/ids.ts';
import { HANDBOOK } from '../platform/site/linked-pages.ts';
import { sendAdminPage } from './office.part.tsx';
import type { Http } from './stall.ts';

/** The folder with the Handbook's chapters: inside the executable, or else in the repository. */
const FOLDER = Bun.isStandaloneExecutable
  ? import.meta.dir
  : join(import.meta.dir, '../../content/books/handbook');
const CHAPTER = /^\d[a-z]?-[a-z-]+\.md$/;

const listChapters = (): readonly string[] =>
  readdirSync(FOLDER)
    .filter((name) => CHAPTER.test(name))
    .sort();

/** A slug that no item has. The links between chapters are rendered with it, and `inHandbook` replaces it. */
const PLACE = '-';

/**
 * `GET /handbook` and `/handbook/:chapter`: shows the owner the Handbook of this version, even if the shop does not have it.
 */
export async function showHandbook(http: Http, owner: SessionPrincipal, chapter: string | null) {
  const w = officeOf(http, owner);
  const chapters = listChapters();
  if (chapter !== null && !chapters.includes(chapter)) throw notFound(`${HANDBOOK}/${chapter}`);
  const names = await Promise.all(chapters.map(async (name) => [name, titleOf(await read(name))] as const));
  const current = chapter === null ? null : await read(chapter);
  const html =
    chapter === null || current === null
      ? null
      : await http.stall.pages.renderText({
          markdown: current.replace(/^# .*\n/, ''),
          language: 'en',
          level: 2,
          place: {
            kind: 'book',
            slug: PLACE,
            digest: '',
            from: chapter,
            isOpen: true,
            files: chapters,
            texts: chapters,
          },
        });
  return sendAdminPage(
    http,
    owner,
    {
      current: '/admin',
      ...(current === null ? { title: w.handbook.title } : { title: titleOf(current), language: 'en' }),
    },
    <>
      {html !== null && <Rendered html={inHandbook(html)} language="en" />}
      <nav aria-label={w.handbook.chapters}>
        <ul>
          {names.map(([name, title]) => (
            <li lang="en">
              <a href={`${HANDBOOK}/${name}`} aria-current={name === chapter ? 'page' : undefined}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </>,
  );
}

const read = (name: string): Promise<string> => readFile(join(FOLDER, name), 'utf8');

const titleOf = (markdown: string): string => /^# (.*)/.exec(markdown)?.[1] ?? '';

/** Turns links to other chapters into links to these pages, and gives headings the ids that links name. */
function inHandbook(html: string): string {
  const ids = createIds();
  return html
    .replaceAll(`href="/books/${PLACE}/read/`, `href="${HANDBOOK}/`)
    .replaceAll(/<(h[2-6])>(.*?)<\/\1>/g, (_, tag: string, inner: string) => {
      const text = inner.replaceAll(/<[^<>]+>/g, '');
      return `<${tag} id="${ids.forHeading(text)}">${inner}</${tag}>`;
    });
}
