import { expect } from 'bun:test';
import { createItemLinks } from '../../src/catalog/reading/item-links.ts';
import { renderMarkdown } from '../../src/markup/markdown.ts';
import { HOSTILE } from '../markup/hostile.ts';
import { testPages, withPages } from './chromium.ts';

const place = {
  kind: 'book',
  slug: 'x',
  from: 'a.md',
  files: new Set(['a.png']),
  texts: new Set<string>(),
} as const;

const PIXEL = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');

/** The page's own words, and each hostile text in a section, without the policy that would stop most of them. */
function pageOf(texts: readonly string[]): string {
  const sections = texts.map((text) => {
    const html = renderMarkdown(text, { links: createItemLinks(place) })?.html ?? '';
    return `<section class="hostile">${html}</section>`;
  });
  return `<!doctype html><meta charset="utf-8"><main id="main">${sections.join('')}</main><p id="end">The end</p>`;
}

/** What of the page should not be there, asked of the browser's own tree. */
const STRANGERS = `(() => {
  const all = [...document.querySelectorAll('*')];
  return {
    sections: document.querySelectorAll('main > section.hostile').length,
    end: document.querySelector('body > #end')?.textContent,
    elements: all.map(({ localName }) => localName)
      .filter((name) => /^(script|style|iframe|object|embed|svg|math|form|input|link|base)$/.test(name)),
    attributes: all.flatMap((element) => element.getAttributeNames())
      .filter((name) => /^on|^style$|srcset|^target$/.test(name)),
    mains: document.querySelectorAll('#main').length,
    marks: document.querySelectorAll('#mark').length,
  };
})()`;

/** Whatever waits for a pointer gets one: no event attribute should be left to hear it. */
const POINT = `document.querySelectorAll('.hostile *').forEach((element) => {
  for (const type of ['mouseover', 'focus', 'load', 'error', 'toggle']) element.dispatchEvent(new Event(type));
})`;

testPages(
  'hostile Markdown runs nothing, fetches nothing, and stays in its place',
  withPages(async (open) => {
    const asked: string[] = [];
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch(request) {
        asked.push(new URL(request.url).pathname);
        const isPage = asked.length === 1;
        const type = isPage ? 'text/html; charset=utf-8' : 'image/gif';
        return new Response(isPage ? pageOf(HOSTILE) : PIXEL, { headers: { 'Content-Type': type } });
      },
    });
    try {
      const page = await open(server.url.origin);
      await page.goto(server.url.href);
      await page.evaluate(POINT);
      expect(await page.evaluate(STRANGERS)).toEqual({
        sections: HOSTILE.length,
        end: 'The end',
        elements: [],
        attributes: [],
        mains: 1,
        marks: 0,
      });
      expect(page.asked).toEqual([]);
      expect([...new Set(asked)].filter((path) => path !== '/favicon.ico')).toEqual([
        '/',
        '/books/x/files/a.png',
      ]);
    } finally {
      await server.stop(true);
    }
  }),
);
