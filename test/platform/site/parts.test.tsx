import { DataTable, Empty, Pager, When } from '../../../src/platform/site/data-table.tsx';
import { InWords } from '../../../src/platform/site/words.tsx';
import { EN } from '../../../src/words/en.ts';
import { formatsIn } from '../../../src/words/formats.ts';
import { describe, expect, test } from 'bun:test';
import type { VNode } from 'preact';
import { renderToString as renderParts } from 'preact-render-to-string';
import { Layout } from '../../../src/platform/site/layout.tsx';
import {
  Button,
  ButtonLink,
  Checkbox,
  CopyLine,
  Field,
  Form,
  Select,
  TextArea,
} from '../../../src/platform/site/form.tsx';
import { Notice, PageHeading } from '../../../src/platform/site/page.tsx';
import { formatPrice } from '../../../src/catalog/price.rule.ts';
import { Cards } from '../../../src/catalog/items.part.tsx';
import { formatBytes } from '../../../src/platform/base/text.ts';

const renderToString = (part: VNode): string => renderParts(<InWords words={EN}>{part}</InWords>);

test.each([
  [0, 'usd', 'Free'],
  [1900, 'usd', '$19'],
  [1950, 'usd', '$19.50'],
  [5, 'usd', '$0.05'],
  [123456700, 'usd', '$1,234,567'],
  [500, 'jpy', '¥500'],
  [1999, 'eur', '€19.99'],
  [1500, 'kwd', 'KWD 1.500'],
])('the price %d %s is written %s', (amount, currency, text) => {
  expect(formatPrice(amount, currency).replace(/\u00a0/g, ' ')).toBe(text);
});

test.each([
  [0, '0 B'],
  [812, '812 B'],
  [999, '999 B'],
  [1000, '1 KB'],
  [49_152, '49 KB'],
  [999_499, '999 KB'],
  [999_500, '1 MB'],
  [1_234_567, '1.2 MB'],
  [9_949_999, '9.9 MB'],
  [9_950_000, '10 MB'],
  [2_500_000_000, '2.5 GB'],
  [5e15, '5000 TB'],
])('%d bytes are written %s', (count, text) => {
  expect(formatBytes(count)).toBe(text);
});

const AT = Date.UTC(2026, 10, 9, 4, 5);

test.each([
  [false, '9 Nov 2026'],
  [true, '9 Nov 2026, 04:05'],
])('an instant with its time %p is written %s', (withTime, text) => {
  expect(formatsIn('en-GB').instant(new Date(AT), withTime, 'UTC')).toBe(text);
});

test('an instant has its UTC time as an attribute, and null is a word', () => {
  const html = renderToString(<When at={AT} />);
  expect(html).toContain('datetime="2026-11-09T04:05:00.000Z"');
  expect(html).toContain('title="9 Nov 2026, 04:05 UTC"');
  expect(renderToString(<When at={null} never="not yet" />)).toBe('not yet');
});

const EVIL = `"'><script>alert(1)</script><img src=x onerror=alert(1)></textarea></title>`;

const stall = {
  language: null,
  languages: ['en'] as const,
  name: EVIL,
  awning: null,
  logo: `/assets/${EVIL}`,
  contact: EVIL,
  terms: EVIL,
  privacy: EVIL,
  imprint: EVIL,
  postalAddress: EVIL,
  taxLine: EVIL,
};

/** Every part, with hostile text in each property that is text. */
const HOSTILE: readonly (readonly [name: string, part: VNode])[] = [
  ['Notice', <Notice kind="bad">{EVIL}</Notice>],
  ['Field', <Field label={EVIL} name={EVIL} value={EVIL} hint={EVIL} error={EVIL} />],
  ['TextArea', <TextArea label={EVIL} name={EVIL} value={EVIL} hint={EVIL} error={EVIL} />],
  ['Select', <Select label={EVIL} name={EVIL} options={[[EVIL, EVIL]]} value={EVIL} />],
  ['Checkbox', <Checkbox label={EVIL} name={EVIL} checked />],
  [
    'Form',
    <Form action={`/${EVIL}`} confirm={EVIL} label={EVIL}>
      <Button name={EVIL} value={EVIL}>
        {EVIL}
      </Button>
    </Form>,
  ],
  ['ButtonLink', <ButtonLink href={`/${EVIL}`}>{EVIL}</ButtonLink>],
  ['CopyLine', <CopyLine text={EVIL} label={EVIL} />],
  [
    'DataTable',
    <DataTable caption={EVIL} columns={{ [EVIL]: String, [`${EVIL}2`]: String }} rows={[EVIL]} />,
  ],
  ['Empty', <Empty action={EVIL}>{EVIL}</Empty>],
  [
    'PageHeading',
    <PageHeading title={EVIL} lead={EVIL}>
      {EVIL}
    </PageHeading>,
  ],
  ['Pager', <Pager newer={`?after=${EVIL}`} older={`?before=${EVIL}`} to={String} />],
  ['When', <When at={null} never={EVIL} />],
  [
    'Cards',
    <Cards items={[{ href: EVIL, title: EVIL, makers: EVIL, price: EVIL, cover: EVIL, isSquare: false }]} />,
  ],
  [
    'Layout',
    <Layout manifest={stall} visitor="reader" email={EVIL} reader={EVIL} current={EVIL} insecure canSignOut>
      {EVIL}
    </Layout>,
  ],
];

/** The elements and attributes of a page as an independent parser reads them. */
async function read(html: string): Promise<{ names: string[]; attributes: string[] }> {
  const names: string[] = [];
  const attributes: string[] = [];
  const reader = new HTMLRewriter().on('*', {
    element(element) {
      names.push(element.tagName);
      attributes.push(...[...element.attributes].map(([name]) => name));
    },
  });
  await reader.transform(new Response(html)).text();
  return { names, attributes };
}

describe('hostile text stays text in', () => {
  test.each(HOSTILE)('%s', async (name, part) => {
    const { names, attributes } = await read(renderToString(part));
    expect(names).not.toContain('script');
    expect(names.filter((tag) => tag === 'img').length).toBe(['Layout', 'Cards'].includes(name) ? 1 : 0);
    expect(attributes.filter((attribute) => /^on|^style$/.test(attribute))).toEqual([]);
  });
});

test('a typed value comes back whole, even a first line feed', async () => {
  const html = renderToString(<TextArea label="CSV" name="csv" value={'\nemail,slug'} />);
  expect(html).toContain('>\n\nemail,slug</textarea>');
});

test('an error is tied to its field, and no two fields share an id', () => {
  const html = renderToString(
    <form>
      <Field label="Name" name="name" hint="Where you use it" error="Too long" />
      <Field label="Name" name="name" />
    </form>,
  );
  const [first, second] = [...html.matchAll(/<label for="([^"]+)"/g)].map(([, id]) => id);
  expect(first).not.toBe(second);
  expect(html).toContain(
    `aria-describedby="${first}-hint ${first}-error" aria-invalid="true" autofocus id="${first}"`,
  );
});

const READER_WAYS = ['/', '/dashboard', '/dashboard/account'];

test.each([
  ['anonymous', ['/', '/sign-in', '/claim', '/redeem', '/connect']],
  ['reader', [...READER_WAYS, '/claim', '/redeem', '/connect']],
  ['owner', [...READER_WAYS, '/admin', '/claim', '/redeem', '/connect']],
] as const)('the navigation of the %s has exactly these links', (visitor, ways) => {
  const html = renderToString(
    <Layout
      manifest={{
        ...stall,
        name: 'Marsh Press',
        logo: null,
        contact: null,
        terms: null,
        privacy: null,
        imprint: null,
        postalAddress: null,
        taxLine: null,
        language: null,
        languages: ['en'],
      }}
      visitor={visitor}
      email={null}
      reader={null}
      current="/"
      insecure={false}
      canSignOut
    >
      A page
    </Layout>,
  );
  const links = [...html.matchAll(/<a (?:class="sign-in" )?href="([^"]+)"/g)].map(([, href]) => href);
  expect(links.filter((href) => href !== '/feed.xml' && href !== '/client.tgz')).toEqual([...ways]);
  expect(html.match(/aria-current="page"/g)).toHaveLength(1);
});
