// Pages made only of the parts, in every state, for people and for axe-core. None of them is in the product.
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { InWords } from '../../src/platform/site/words.tsx';
import { EN } from '../../src/words/en.ts';
import { assetUrl, awningUrl, iconUrl } from '../../src/platform/site/assets.ts';
import { Layout } from '../../src/platform/site/layout.tsx';
import { DataTable, Empty, Pager, When } from '../../src/platform/site/data-table.tsx';
import {
  Button,
  ButtonLink,
  Checkbox,
  CopyLine,
  Field,
  Form,
  Select,
  TextArea,
} from '../../src/platform/site/form.tsx';
import { Notice, PageHeading } from '../../src/platform/site/page.tsx';
import { formatPrice } from '../../src/catalog/price.rule.ts';
import { Cards } from '../../src/catalog/items.part.tsx';
import { formatBytes } from '../../src/platform/base/text.ts';

const AT = Date.UTC(2026, 10, 20, 21, 5);
const LONG = 'A field guide to the herons, egrets and bitterns of the northern marshes';

const TITLES = [
  'Field Notes on Herons',
  'Invoices',
  'The Small Kitchen',
  LONG,
  'Commit Messages',
  'Walking the Coast',
  'Ledger',
  'On Paper and Ink',
];

const card = (index: number) => {
  const isBook = index % 3 !== 1;
  return {
    href: '/demonstration/item',
    title: TITLES[index % TITLES.length] ?? '',
    makers: index % 3 === 0 ? 'Marsh Press' : 'Ada Lindqvist and the Coastal Society',
    price: formatPrice(index % 2 === 0 ? 1900 : 0, 'usd'),
    cover: `/demonstration/cover-${index}-${isBook ? 'book' : 'skill'}.svg`,
    isSquare: !isBook,
  };
};

const cards = (count: number) => Array.from({ length: count }, (_, index) => card(index));

const Filters = () => (
  <form class="filters" action="/" method="get" role="search">
    <Field label="Search" name="q" type="search" />
    <Select
      label="Kind"
      name="kind"
      options={[
        ['', 'Books and skills'],
        ['book', 'Books'],
      ]}
    />
    <Select
      label="Price"
      name="price"
      options={[
        ['', 'Any price'],
        ['free', 'Free'],
      ]}
    />
    <Button kind="quiet">Search</Button>
  </form>
);

const Window = ({ count }: { count: number }) => (
  <>
    <PageHeading title="Books and skills" lead="What Marsh Press has on the table today." />
    <Filters />
    <div class="shelf-head">
      <p class="quiet">{count === 1 ? '1 item' : `${count} items`}</p>
    </div>
    <Cards items={cards(count)} />
    <Pager newer={null} older={count > 9 ? '?page=2' : null} to={String} />
  </>
);

const Item = () => (
  <article class="item">
    <header class="item-head">
      <img class="cover" src="/demonstration/cover-3-book.svg" alt="" width="400" height="600" />
      <div>
        <h1>{LONG}</h1>
        <p class="by">Ada Lindqvist · Marsh Press</p>
        <p class="lead">
          Twelve months at the edge of the water, with notes on what each bird eats and when.
        </p>
      </div>
    </header>
    <aside class="side" aria-label="How to get it">
      <p class="price">{formatPrice(1900, 'usd')}</p>
      <ButtonLink href="https://example.com/buy">Buy</ButtonLink>
      <CopyLine text="bookstall install herons" label="With the reader's program" />
      <CopyLine text='curl -fsSL -H "Authorization: Bearer $BOOKSTALL_KEY" https://stall.example/api/install/herons | tar -xz' />
      <p>The key is one of your API keys: keep it in the environment as BOOKSTALL_KEY.</p>
    </aside>
    <div class="stack">
      <h2>Contents</h2>
      <ol class="chapters">
        {['The marsh in January', 'What a heron eats', 'Nests', LONG].map((title) => (
          <li key={title}>
            <span>{title}</span>
          </li>
        ))}
      </ol>
      <h2>About</h2>
      <Prose />
      <h2>Facts</h2>
      <dl class="facts">
        <dt>Version</dt>
        <dd>1.10</dd>
        <dt>Licence</dt>
        <dd>CC-BY-4.0</dd>
        <dt>Digest</dt>
        <dd>
          <code>sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08</code>
        </dd>
        <dt>Tags</dt>
        <dd>
          <ul class="tags">
            <li>
              <a href="/?tag=birds">birds</a>
            </li>
            <li>
              <a href="/?tag=north">north</a>
            </li>
          </ul>
        </dd>
      </dl>
      <h2>Files</h2>
      <DataTable
        caption="3 files, 49 KB together"
        columns={{
          Path: (path) => <a href="#file">{path}</a>,
          Size: () => <span class="number">{formatBytes(49152)}</span>,
          'SHA-256': () => (
            <span class="digest">9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08</span>
          ),
        }}
        rows={['01-january.md', 'figures/heron.svg', 'a/rather/long/path/to/a-file-with-a-long-name.md']}
      />
    </div>
  </article>
);

const Prose = ({ heading: Heading = 'h3' }: { heading?: 'h2' | 'h3' }) => (
  <div class="reading">
    <p>
      The grey heron stands on one leg because the cold water would otherwise chill both. In 1923 there were
      416 nests on the island; by 2019 there were 1,207, and <a href="#nests">the island had not grown</a>.
    </p>
    <Heading>What it eats</Heading>
    <p>
      Mostly fish: roach, perch, sticklebacks. Sometimes <em>frogs</em>, and once, in a hard winter, a{' '}
      <strong>whole water vole</strong>.
      <sup>
        <a href="#note">1</a>
      </sup>{' '}
      <mark>It swallows its food whole.</mark>
    </p>
    <blockquote>
      <p>I have seen it wait for the whole of a morning, and then leave.</p>
    </blockquote>
    <pre tabIndex={0}>
      <code>
        {
          'for (const nest of nests)\n  console.log(nest.island, nest.count);  // a line that is wider than the column it stands in'
        }
      </code>
    </pre>
    <ul>
      <li>A list of things</li>
      <li>
        With <code>code</code> in it
      </li>
    </ul>
    <table tabIndex={0}>
      <thead>
        <tr>
          <th>Month</th>
          <th>Nests</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td>January</td>
          <td>12</td>
        </tr>
      </tbody>
    </table>
  </div>
);

const KEYS = [
  'laptop',
  'a name that somebody made as long as a name of a key may be made on this page',
  'ci',
];

const Keys = () => (
  <>
    <PageHeading title="API keys" lead="A key lets your agent read what you own.">
      <ButtonLink href="#new">New key</ButtonLink>
    </PageHeading>
    <Notice kind="good">Key revoked. Programs that use it are refused from now on.</Notice>
    <section class="secret" aria-labelledby="secret">
      <h2 id="secret">Your new key</h2>
      <p>Copy it now: it is not shown again.</p>
      <CopyLine label="Key" text="svc_0123456789ABCDEFGHIJKLMNOPQRSTUVxxxxxx" />
      <CopyLine
        label="In your shell"
        text="export BOOKSTALL_KEY=svc_0123456789ABCDEFGHIJKLMNOPQRSTUVxxxxxx"
      />
    </section>
    <DataTable
      caption="Keys of reader@example.org"
      columns={{
        Name: (name) => name,
        Key: () => <code>svc_0123…</code>,
        Created: () => <When at={AT} />,
        'Last used': (name) => <When at={name === 'ci' ? null : AT} withTime />,
        Expires: () => <When at={AT} />,
        '': (name) => (
          <Form
            action="/demonstration/keys"
            label={`Revoke ${name}`}
            confirm={`Programs that use the key "${name}" stop working at once.`}
          >
            <Button kind="danger">Revoke</Button>
          </Form>
        ),
      }}
      rows={KEYS}
    />
    <Pager newer="?before=1" older="?after=3" to={String} />
    <section>
      <h2 id="new">New key</h2>
      <Form action="/demonstration/keys">
        <Field
          label="Name"
          name="name"
          hint="Where you will use it, so that you know it later"
          value="lap<top>"
          required
        />
        <Select
          label="Expires"
          name="expires"
          value="90"
          options={[
            ['90', 'in 90 days'],
            ['never', 'never'],
          ]}
        />
        <Checkbox label="Send me nothing about it" name="silent" checked />
        <Button>Create key</Button>
      </Form>
    </section>
  </>
);

const Parts = () => (
  <>
    <PageHeading title="The parts" lead="Each in every state." />
    <div class="stack">
      <Notice kind="good">The account was added.</Notice>
      <Notice kind="bad">Cannot sign in: e-mail and password do not match</Notice>
      <Notice kind="warn">The last backup is nine days old.</Notice>
      <Notice kind="plain">A plain word.</Notice>
    </div>
    <Form action="/demonstration/parts">
      <Field
        label="E-mail"
        name="email"
        type="email"
        error="Write an address, as in ada@example.org"
        value="ada"
      />
      <Field
        label="Password"
        name="password"
        type="password"
        hint="At least 8 characters"
        error="Too short"
      />
      <TextArea label="CSV" name="csv" value="email,slug" hint="One grant a line" />
      <div class="actions">
        <Button>Primary</Button>
        <Button kind="quiet">Quiet</Button>
        <Button kind="danger">Danger</Button>
        <ButtonLink href="/" kind="quiet">
          Cancel
        </ButtonLink>
      </div>
    </Form>
    <Empty action={<ButtonLink href="#">Create a key</ButtonLink>}>
      No keys yet. A key lets your agent read what you own.
    </Empty>
    <p class="actions">
      <span class="badge good">published</span>
      <span class="badge">archived</span>
      <span class="badge warn">draft</span>
      <span class="badge bad">broken</span>
    </p>
    <ol class="steps">
      <li>
        <h2>Create a key</h2>
        <p>Under Keys; it is shown once.</p>
      </li>
      <li>
        <h2>Give it to your agent</h2>
        <CopyLine text="export BOOKSTALL_KEY=svc_…" />
      </li>
    </ol>
  </>
);

const Office = () => (
  <>
    <PageHeading title="Office" />
    <nav class="subnav" aria-label="Office">
      <ul>
        {['Overview', 'Items', 'Accounts', 'Audit'].map((name, index) => (
          <li key={name}>
            <a href="/demonstration/office" aria-current={index === 0 ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
    <ul class="warnings">
      <li>
        A proxy sends X-Forwarded-For, and no trusted proxy is configured: all readers share one budget.
      </li>
      <li class="bad">The disk has 1.2 GB left.</li>
    </ul>
    <dl class="stats">
      {[
        ['Accounts', '1,204'],
        ['Items', '38'],
        ['Downloads this month', '17,391'],
      ].map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
    <section>
      <h2>Questions and downloads</h2>
      <Chart />
    </section>
    <section>
      <h2>Accounts</h2>
      <DataTable
        caption="Accounts"
        columns={{
          'E-mail': (email) => <a href="#account">{email}</a>,
          Since: () => <When at={AT} />,
          Status: () => <span class="badge good">enabled</span>,
          Grants: () => '12',
          '': (email) => (
            <Form
              action="#"
              confirm={`Keys and sessions of ${email} stop working.`}
              label={`Disable ${email}`}
            >
              <Button kind="quiet">Disable</Button>
            </Form>
          ),
        }}
        rows={['ada@example.org', 'a.very.long.name.of.a.person@a-long-domain.example.org']}
      />
      <DataTable
        caption="Problems"
        columns={{ Item: String }}
        rows={[]}
        empty={<Empty>No problems.</Empty>}
      />
    </section>
  </>
);

const Chart = () => (
  <svg class="chart" viewBox="0 0 640 200" role="img" aria-label="Downloads a day, 7 to 100">
    <path class="rule" d="M40 20H640M40 90H640" />
    {Array.from({ length: 30 }, (_, day) => {
      const height = 20 + ((day * 37) % 120);
      return <rect key={day} class="bar" x={44 + day * 20} y={160 - height} width="14" height={height} />;
    })}
    <path class="axis" d="M40 160H640" />
    <text x="32" y="24" text-anchor="end">
      100
    </text>
    <text x="44" y="180">
      1 Nov
    </text>
  </svg>
);

const SignIn = () => (
  <div class="narrow">
    <PageHeading title="Sign in" />
    <Notice kind="bad">Cannot sign in: e-mail and password do not match</Notice>
    <Form action="/sign-in">
      <Field label="E-mail" name="email" type="email" autocomplete="username" value="ada@example.org" />
      <Field label="Password" name="password" type="password" autocomplete="current-password" />
      <Button>Sign in</Button>
    </Form>
    <p class="quiet">Accounts are made by the stall, which also gives out links to set a new password.</p>
  </div>
);

const Invite = () => (
  <div class="narrow">
    <PageHeading title="Welcome" lead="Choose a password, and your library is open." />
    <Form action="/demonstration/invite">
      <div data-fragment="code">
        <Field
          label="Code from the link"
          name="code"
          hint="What stands after # in the address you were given"
        />
      </div>
      <Field label="Password" name="password" type="password" hint="At least 8 characters" />
      <Button>Set the password and sign in</Button>
    </Form>
  </div>
);

const Chapter = () => (
  <article class="reading-page">
    <PageHeading title="The marsh in January" lead="From Field Notes on Herons" />
    <Prose heading="h2" />
  </article>
);

/** Every page by its name. */
export const PAGES: Readonly<Record<string, () => ComponentChildren>> = {
  window: () => <Window count={48} />,
  'window-few': () => <Window count={3} />,
  'window-one': () => <Window count={1} />,
  item: Item,
  chapter: Chapter,
  keys: Keys,
  parts: Parts,
  office: Office,
  'sign-in': SignIn,
  invite: Invite,
};

const SIGNED_OUT = ['window', 'window-few', 'window-one', 'item', 'chapter', 'sign-in', 'invite'];

/** A page as HTML, under the publisher's awning if one is given. */
export function demonstration(name: string, awning: string | null = null): string {
  const isOut = SIGNED_OUT.includes(name);
  const sheet = awningUrl(awning);
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{name}</title>
        <link rel="icon" href={iconUrl(awning)} />
        <link rel="stylesheet" href={assetUrl('site.css')} />
        {sheet !== null && <link rel="stylesheet" href={sheet} />}
        <script src={assetUrl('site.js')} data-words={JSON.stringify({ ...EN.browser, locale: EN.locale })} />
      </head>
      <body>
        <Layout
          manifest={{
            name: 'Marsh Press',
            logo: null,
            contact: 'marsh@example.org',
            terms: 'terms.md',
            privacy: null,
            imprint: null,
            postalAddress: null,
            taxLine: null,
            language: null,
            languages: ['en'],
          }}
          visitor={isOut ? 'anonymous' : name === 'keys' ? 'reader' : 'owner'}
          email={isOut ? null : 'reader.with.a.long.name@example.org'}
          reader={null}
          current={{ keys: '/dashboard/api-keys', office: '/admin' }[name] ?? '/'}
          insecure={name === 'keys' || name === 'sign-in'}
          canSignOut
        >
          {PAGES[name]?.()}
        </Layout>
      </body>
    </html>
  );
  return `<!doctype html>\n${renderToString(<InWords words={EN}>{page}</InWords>)}`;
}

const TONES = ['#7a1f2b', '#23495f', '#3e5b3a', '#8a5a17', '#4b3a66'];

/** A cover in place of those that the stall draws. */
export function demonstrationCover(path: string): string {
  const [, number = '0', kind] = /cover-(\d+)-(\w+)/.exec(path) ?? [];
  const height = kind === 'book' ? 600 : 400;
  const tone = TONES[Number(number) % TONES.length];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 ${height}" width="400" height="${height}"><path fill="${tone}" d="M0 0h400v${height}H0z"/><circle cx="200" cy="${height * 0.7}" r="90" fill="#fbf8f2" opacity=".3"/></svg>`;
}
