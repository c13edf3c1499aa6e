import { expect } from 'bun:test';
import { testPages, withPages } from './chromium.ts';
import { faultsOf } from './page-rules.ts';

const wrap = (body: string, { lang = 'en', title = 'A page', style = '' } = {}): string =>
  `<!doctype html><html lang="${lang}"><meta name="viewport" content="width=device-width"><title>${title}</title>` +
  `<style>${style}</style><main>${body}</main></html>`;

/** A page, and its faults on a phone. */
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

testPages(
  "a page's faults are found, and nothing else",
  withPages(async (openPage) => {
    const page = await openPage('null', { width: 'phone' });
    for (const [what, html, faults] of PAGES) {
      await page.setContent(html);
      const found = await faultsOf(page);
      const unlooked = found.filter((fault) => !faults.some((pattern) => pattern.test(fault)));
      const unfound = faults.filter((pattern) => !found.some((fault) => pattern.test(fault)));
      expect({ what, unlooked, unfound }).toEqual({ what, unlooked: [], unfound: [] });
    }
  }),
);
