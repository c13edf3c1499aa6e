import { expect } from 'bun:test';
import { createItemLinks } from '../../src/reading/item-links.ts';
import { renderMarkdown } from '../../src/reading/markup/markdown.ts';
import { HOSTILE } from '../reading/markup/hostile.ts';
import { OWASP } from '../reading/markup/owasp.ts';
import { openStall } from '../helpers/harness.ts';
import { testPages, withPages } from './chromium.ts';

const place = {
  kind: 'book',
  slug: 'x',
  from: 'a.md',
  files: new Set(['a.png']),
  texts: new Set<string>(),
} as const;

const PIXEL = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');

const TEXTS = [...HOSTILE, ...OWASP.flatMap(([, ...texts]) => texts)];

/** The page's own words, and each hostile text in a section, without the policy that would stop most of them. */
function pageOf(texts: readonly string[], css = ''): string {
  const sections = texts.map((text) => {
    const html = renderMarkdown(text, { links: createItemLinks(place) })?.html ?? '';
    return `<section class="hostile reading">${html}</section>`;
  });
  const text =
    css === ''
      ? sections.join('')
      : `<div class="reader"><nav></nav><article>${sections.join('')}</article></div>`;
  return `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><style>${css}</style><main id="main">${text}</main><p id="end">The end</p>`;
}

/** The parts of the page that should not be there, found in the browser's own tree. */
const STRANGERS = `(() => {
  const all = [...document.querySelectorAll('*')];
  return {
    sections: document.querySelectorAll('main > section.hostile').length,
    end: document.querySelector('body > #end')?.textContent,
    elements: all.map(({ localName }) => localName)
      .filter((name) => /^(script|iframe|object|embed|svg|math|form|input|link|base)$/.test(name)),
    attributes: all.flatMap((element) => element.getAttributeNames())
      .filter((name) => /^on|^style$|srcset|^target$/.test(name)),
    mains: document.querySelectorAll('#main').length,
    marks: document.querySelectorAll('#mark').length,
    styles: document.querySelectorAll('style').length,
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
        return new Response(isPage ? pageOf(TEXTS) : PIXEL, { headers: { 'Content-Type': type } });
      },
    });
    try {
      const page = await open(server.url.origin);
      await page.goto(server.url.href);
      await page.evaluate(POINT);
      expect(await page.evaluate(STRANGERS)).toEqual({
        sections: TEXTS.length,
        end: 'The end',
        elements: [],
        attributes: [],
        mains: 1,
        marks: 0,
        styles: 1,
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

/**
 * The elements of a section that are outside its box, or laid out as if it were not there. A block that scrolls clips its
 * own, and the page clips a long ruby.
 */
const OUTSIDE = `[...document.querySelectorAll('section.hostile')].flatMap((section) => {
  const box = section.getBoundingClientRect();
  return [...section.querySelectorAll('*')].filter((element) => {
    const { position, float, zIndex, transform, writingMode } = getComputedStyle(element);
    const { left, right, top, bottom, width, height } = element.getBoundingClientRect();
    const isClipped = element.parentElement.closest('.scroll, pre, ruby') !== null || element.localName === 'ruby';
    const isOut = !isClipped && width * height > 0 &&
      (left < box.left - 1 || right > box.right + 1 || top < box.top - 12 || bottom > box.bottom + 12);
    return isOut || position !== 'static' || float !== 'none' || zIndex !== 'auto' || transform !== 'none' ||
      writingMode !== 'horizontal-tb';
  }).map(({ outerHTML }) => outerHTML.slice(0, 200));
})`;

testPages.each(['phone', 'desktop'] as const)(
  'no style of hostile Markdown leaves its box on a %s',
  withPages(async (open, width: 'phone' | 'desktop') => {
    const stall = await openStall();
    const [, path = ''] =
      /href="(\/assets\/site-[^"]+\.css)"/.exec(await (await stall.fetch('/')).text()) ?? [];
    const html = pageOf(TEXTS, await (await stall.fetch(path)).text());
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: ({ url }) => {
        if (url.endsWith('.woff2')) return stall.fetch(new URL(url).pathname);
        return url.endsWith('/')
          ? new Response(html, { headers: { 'Content-Type': 'text/html; charset=utf-8' } })
          : new Response(PIXEL, { headers: { 'Content-Type': 'image/gif' } });
      },
    });
    try {
      const page = await open(server.url.origin, { width });
      await page.goto(server.url.href);
      expect(await page.evaluate(OUTSIDE)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - window.screen.width')).toBeLessThan(
        1,
      );
    } finally {
      await server.stop(true);
    }
  }),
);
