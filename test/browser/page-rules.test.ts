import { expect } from 'bun:test';
import { testPages, withPages } from './chromium.ts';
import { faultsOf } from './page-rules.ts';

const wrap = (body: string, { lang = 'en', title = 'A page', style = '' } = {}): string =>
  `<!doctype html><html lang="${lang}"><meta name="viewport" content="width=device-width"><title>${title}</title>` +
  `<style>${style}</style><main>${body}</main></html>`;

/** A page, and what is wrong with it on a phone. */
const PAGES: readonly (readonly [what: string, page: string, faults: readonly RegExp[]])[] = [
  ['in order', wrap('<h1>Keys</h1><p>None yet.</p>'), []],
  ['without a heading', wrap('<p>Keys</p>'), [/^0 h1 instead of one$/, /page-has-heading-one/]],
  ['with two headings', wrap('<h1>Keys</h1><h1>Logs</h1>'), [/^2 h1 instead of one$/]],
  ['without a title', wrap('<h1>Keys</h1>', { title: '' }), [/^no title$/, /document-title/]],
  ['without a language', wrap('<h1>Keys</h1>', { lang: '' }), [/^no language$/, /html-has-lang/]],
  [
    'wider than a phone',
    wrap('<h1>Keys</h1><pre class="line">a</pre>', { style: '.line { width: 600px }' }),
    [/^6\d\d px wide in a viewport of 375: .*pre\.line/],
  ],
  ['whose picture has no words', wrap('<h1>Keys</h1><img src="data:,">'), [/^light: image-alt/]],
  [
    'too faint in the dark',
    wrap('<h1>Keys</h1>', {
      style: '@media (prefers-color-scheme: dark) { html { background: #000; color: #222 } }',
    }),
    [/^dark: color-contrast .* at h1: .*1\.\d+/],
  ],
];

testPages.each(PAGES)(
  'a page %s is found so',
  withPages(async (openPage, _what, html, faults) => {
    const page = await openPage('null', { width: 'phone' });
    await page.setContent(html);
    const found = await faultsOf(page);
    expect(found.filter((fault) => !faults.some((pattern) => pattern.test(fault)))).toEqual([]);
    expect(faults.filter((pattern) => !found.some((fault) => pattern.test(fault)))).toEqual([]);
  }),
);
