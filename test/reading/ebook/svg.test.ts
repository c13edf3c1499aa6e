import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { cleanSvg } from '../../../src/reading/ebook/svg.ts';
import { drawCover } from '../../../src/catalog/drawn-cover.rule.ts';

const OPEN = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';

test.each([
  ['a script', `${OPEN}><script>alert(1)</script><path d="M0 0"/></svg>`, `${OPEN}><path d="M0 0"/></svg>`],
  [
    'foreign elements with all in them',
    `${OPEN}><foreignObject><g/></foreignObject></svg>`,
    `${OPEN}></svg>`,
  ],
  [
    'handlers and foreign attributes',
    `${OPEN} onload="x" inkscape:label="y" width="2"/>`,
    `${OPEN} width="2"/>`,
  ],
  [
    'pictures and styles from elsewhere',
    `${OPEN}><image href="http://x/"/><g fill="url(http://x/#a)"/></svg>`,
    `${OPEN}><g/></svg>`,
  ],
  [
    'its own parts',
    `${OPEN}><use xlink:href="#a" fill="url(#p)"/><g id="a"/><pattern id="p"/></svg>`,
    `${OPEN}><use xlink:href="#a" fill="url(#p)"/><g id="a"/><pattern id="p"/></svg>`,
  ],
  [
    'references to others',
    `${OPEN}><use href="#p" fill="url(#a)" mask="url(#none)"/><g id="a"/><pattern id="p"/></svg>`,
    `${OPEN}><use/><g id="a"/><pattern id="p"/></svg>`,
  ],
  ['an id of another element', `${OPEN}><g id="a"/><g id="a"/></svg>`, `${OPEN}><g id="a"/><g/></svg>`],
  [
    'comments, instructions and a type',
    `<?xml version="1.0"?><!DOCTYPE svg><!-- x -->${OPEN}><text><![CDATA[<]]></text></svg>`,
    `${OPEN}><text>&lt;</text></svg>`,
  ],
])('of a drawing with %s the rest is kept', (_, source, expected) => {
  expect(cleanSvg(source)).toBe(expected);
});

test.each([
  ['nothing', ''],
  ['another root', '<html><svg/></html>'],
  ['two roots', `${OPEN}/>${OPEN}/>`],
  ['an open element', `${OPEN}><g></svg>`],
  ['an attribute twice', `${OPEN} x="1" x="2"/>`],
  ['an entity of its own', `<!DOCTYPE svg [<!ENTITY a "b">]>${OPEN}>&a;</svg>`],
  ['an unknown entity', `${OPEN}>&nbsp;</svg>`],
  ['a bare ampersand', `${OPEN}>a & b</svg>`],
  ['depth', `${OPEN}>${'<g>'.repeat(200)}${'</g>'.repeat(200)}</svg>`],
])('a drawing with %s is none', (_, source) => {
  expect(cleanSvg(source)).toBeNull();
});

test('drawn covers stay whole, and whatever is let through is XML', () => {
  const cover = drawCover({ kind: 'book', slug: 'a', title: 'A <b> & "c"', makers: 'P' });
  expect(cleanSvg(cover)).toBe(cover.replace('<svg xmlns="http://www.w3.org/2000/svg"', OPEN));
  const piece = fc.constantFrom(
    '<g>',
    '</g>',
    '<path d="a"/>',
    '&amp;',
    '&#0;',
    '&#x10ffff;',
    '\u0000',
    'x',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<g a="',
    "'",
    '"',
    '>',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const clean = cleanSvg(`${OPEN}><text>${pieces.join('')}</text></svg>`);
      if (clean !== null) Bun.XML.parse(clean);
    }),
    { numRuns: 500 },
  );
});
