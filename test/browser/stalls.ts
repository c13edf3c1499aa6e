import { type Files, itemYaml, openStall, PASSWORD, skillMd } from '../helpers/harness.ts';
import { createSigner, signQuotes } from '../catalog/signing.ts';
import { beginSession } from '../../src/accounts/session.ts';

const DAY = 24 * 60 * 60 * 1000;
export const OWNER = 'owner@example.org';

/** A stall with the cookies of its owner and its main reader. */
export type Shown = Awaited<ReturnType<typeof openEmpty>>;

/** A stall without an owner. */
export async function openNew(): Promise<Shown> {
  const stall = await openStall({ files: {} });
  return {
    stall,
    reader: '',
    readerId: '',
    keyId: 0,
    publishKeyId: 0,
    linkId: 0,
    orderId: 0,
    codeId: 0,
    link: '',
    assistant: '',
    tokenId: 0,
    note: '',
    source: '',
    cookies: { owner: '', reader: '' },
  };
}

/** A stall with only its owner and one reader. */
export async function openEmpty(yaml = '') {
  const stall = await openStall({ files: yaml === '' ? {} : { 'stall.yaml': yaml } });
  await addPeople(stall, 'reader@example.org');
  return signInBoth(stall, 'reader@example.org', WORDS);
}

/** A stall with items of each kind, price, status and error, and an account with keys, grants, and forty days of questions and downloads. */
export async function openFull(yaml = '') {
  return furnish({
    files: { ...FULL, 'stall.yaml': `${FULL['stall.yaml']}${yaml}` },
    reader: 'a.reader.with.a.rather.long.address@library.example.org',
    words: WORDS,
  });
}

/** The same stall, in which every word chosen by people is markup. */
export async function openHostile() {
  return furnish({ files: hostileFiles(), reader: EVIL_EMAIL, words: EVIL_WORDS });
}

/** Markup that must be shown as text and never take effect. */
export const EVIL = `<script>alert(1)</script><img src=x onerror=alert(2)>"'&]]>`;
/** `$&` inserts the matched text if it is used as a replacement string. */
const EVIL_EMAIL = '<img/src=x/onerror=alert(3)>$&@example.org';

type Words = {
  readonly key: string;
  readonly source: string;
  readonly question: string;
  readonly userAgent: string;
};

const WORDS: Words = {
  key: 'laptop',
  source: 'shop',
  question: 'Why does the heron stand on one leg?',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};
const EVIL_WORDS: Words = { key: EVIL, source: EVIL, question: `heron ${EVIL}`, userAgent: EVIL };

/** Mail that is connected, so that pages offer it, to a port at which nothing listens. */
const NO_SERVER = {
  host: '127.0.0.1',
  port: 9,
  encryption: 'none',
  login: null,
  from: 'stall@example.org',
  tellsSales: false,
  pause: 0,
} as const;

/** Opens a stall and simulates forty days of its reader's use, up to today. */
async function furnish({ files, reader, words }: { files: Files; reader: string; words: Words }) {
  let past = 40 * DAY;
  const stall = await openStall({ files, config: { mail: NO_SERVER }, now: () => Date.now() - past });
  signQuotes(stall.content, 'books/free-book', createSigner('ssh-ed25519'));
  await stall.app.publish();
  const { keys, grants, accounts } = stall.app.admin;
  for (let index = 0; index < 12; index++) await accounts.add(`reader-${index}@example.org`);
  await accounts.disable('reader-9@example.org');
  await addPeople(stall, reader);
  await addInBrowser(stall);
  for (const slug of ['paid-book', 'paid-skill', 'archived-book'])
    await grants.add({ email: reader, slug, source: words.source });
  await grants.add({ email: reader, slug: 'long-book', until: new Date(Date.now() + DAY).toISOString() });
  for (let index = 0; index < 10; index++)
    await grants.add({
      email: `reader-${index}@example.org`,
      slug: 'paid-book',
      source: `order-${1000 + index}`,
    });
  await grants.revoke('reader-4@example.org', 'paid-book', null);
  const { key } = await keys.create(reader, words.key, 'never');
  const { id: revoked } = await keys.create(reader, 'a server that is gone', { days: 365 });
  await keys.revoke(String(revoked));
  await keys.create(reader, 'has expired by now', { days: 7 });
  for (past = 30 * DAY; past > 0; past -= 3 * DAY) {
    await use(stall, key, words);
    await look(stall, (past / DAY) % 7);
  }
  past = 0;
  await use(stall, key, words);
  return signInBoth(stall, reader, words, await sell(stall, words));
}

/** An order by hand that waits for its buyer, one that was given back, and codes. */
async function sell({ app: { admin } }: Stall, { source }: Words) {
  const sale = { slugs: ['paid-book'], amount: 1900, currency: 'usd', isMailed: true };
  const order = await admin.addHandOrder({ ...sale, email: 'buyer@example.org', ref: source.slice(0, 40) });
  const back = await admin.addHandOrder({ ...sale, email: 'regret@example.org', ref: 'given back' });
  await admin.orders.giveBack(back.id);
  const request = { slug: 'paid-book', bundles: [], uses: 3, until: null, orderId: null };
  await admin.codes.create({ ...request, count: 2, note: source.slice(0, 40) });
  const [code] = admin.codes.list();
  return { orderId: order.id, codeId: code?.id ?? 0 };
}

type Stall = Awaited<ReturnType<typeof openStall>>;

async function use({ fetch }: Stall, key: string, { question, userAgent }: Words): Promise<void> {
  const headers = { Authorization: `Bearer ${key}`, 'User-Agent': userAgent };
  const body = JSON.stringify({ book_id: 'paid-id', query: question });
  const json = { ...headers, 'Content-Type': 'application/json' };
  for (const [path, init] of [
    ['/api/install/paid-book', { headers }],
    ['/api/skills/free-skill/download', { headers }],
    ['/api/agent/fetch', { method: 'POST', headers: json, body }],
    ['/api/agent/fetch', { method: 'POST', headers: json, body: UNANSWERED }],
  ] as const)
    await (await fetch(path, init)).bytes();
}

/** A question that the book does not cover. */
const UNANSWERED = JSON.stringify({ book_id: 'paid-id', query: 'Who won the chess championship of 1972?' });

/** Views a book's page so many times. */
async function look({ fetch }: Stall, times: number): Promise<void> {
  const headers = { Accept: 'text/html', 'User-Agent': WORDS.userAgent };
  for (let n = 0; n < times; n++) await (await fetch('/books/paid-book', { headers })).bytes();
}

/** An item that was added in the office. */
async function addInBrowser(stall: Stall): Promise<void> {
  const headers = { ...(await stall.signIn(OWNER)), 'Sec-Fetch-Site': 'same-origin' };
  const body = new FormData();
  body.set('slug', 'added-book');
  body.set('file', new File(['# Added\n\nA text of the marsh.\n'], 'added.md'));
  await (await stall.fetch('/admin/add', { method: 'POST', headers, body })).text();
}

async function addPeople({ app: { admin } }: Stall, reader: string): Promise<void> {
  await admin.accounts.add(OWNER, true);
  await admin.accounts.add(reader);
  await admin.groups.add('reviewers');
  await admin.groups.join('reviewers', [reader, OWNER]);
}

async function signInBoth(
  stall: Stall,
  reader: string,
  { source, userAgent }: Words,
  sold = { orderId: 0, codeId: 0 },
) {
  const { id } = stall.app.admin.accounts.find(reader);
  const cookies = { owner: (await stall.signIn(OWNER)).Cookie, reader: (await stall.signIn(reader)).Cookie };
  const credentials = { email: reader, password: PASSWORD, address: '127.0.0.1', userAgent };
  await beginSession(stall.app.stall, credentials);
  const [key] = await stall.app.admin.keys.list(reader);
  const request = { name: key?.name ?? 'laptop', slugs: [], reads: false, term: 'never' } as const;
  const { id: tokenId, token } = await stall.app.admin.tokens.create(reader, request);
  const { id: linkId } = await stall.app.admin.links.create(reader, 'reset', stall.url);
  const device = { accountId: id, prefix: 'abcd', hash: new Uint8Array(32), at: 1 };
  await stall.app.stall.store.write.addDeviceKey(device);
  return {
    stall,
    reader,
    readerId: id,
    keyId: key?.id ?? 0,
    publishKeyId: (await stall.app.admin.publishKeys.create(OWNER, request.name)).id,
    linkId,
    ...sold,
    link: `/i/${token}`,
    assistant: await registerAssistant(stall),
    tokenId,
    note: await keepNote(stall, cookies.reader, source),
    source,
    cookies,
  };
}

/** Registers an assistant, and gives the address that it sends its reader to. */
async function registerAssistant({ fetch }: Stall): Promise<string> {
  const callback = 'https://assistant.example.org/callback';
  const body = JSON.stringify({ client_name: 'Heron Assistant', redirect_uris: [callback] });
  const headers = { 'Content-Type': 'application/json' };
  const made = (await (await fetch('/register', { method: 'POST', headers, body })).json()) as Readonly<
    Record<string, string>
  >;
  const asked = { response_type: 'code', client_id: made['client_id'] ?? '', redirect_uri: callback };
  const challenge = {
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  };
  return `/authorize?${new URLSearchParams({ ...asked, ...challenge, scope: 'library' })}`;
}

/** Marks words of a book as its reader, sends them to the owner, and gives the note's id; an account without the book has none. */
async function keepNote({ fetch, url }: Stall, cookie: string, text: string): Promise<string> {
  const headers = { Cookie: cookie, Origin: url, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ path: '01-heron.md', start: 0, end: 40, text });
  const made = await fetch('/api/books/paid-id/notes', { method: 'POST', headers, body });
  if (made.status !== 201) return '';
  const { id } = (await made.json()) as { readonly id: string };
  const form = new URLSearchParams({ text, send: 'yes' });
  const sent = { method: 'POST', headers: { Cookie: cookie, Origin: url }, body: form };
  await fetch(`/books/paid-book/notes/${id}`, sent);
  return id;
}

const CHAPTER =
  '# The heron\n\nThe grey heron stands on one leg because the cold water would otherwise chill both.\n\n' +
  '| bird | leg |\n|---|---|\n| heron | one |\n\n```sh\nls --all --human-readable --recursive --reverse --sort=time --color=always\n```\n';

const PRICED: Files = Object.fromEntries(
  (
    [
      ['free', { unitAmountCents: 0 }],
      ['paid', { unitAmountCents: 1900, checkoutUrl: 'https://shop.example.org/buy' }],
      ['draft', { unitAmountCents: 0, status: 'draft' }],
      ['archived', { unitAmountCents: 500, status: 'archived' }],
    ] as const
  ).flatMap(([name, keys]) => [
    [
      `books/${name}-book/item.yaml`,
      itemYaml({ id: `${name}-id`, title: `The ${name} book of herons`, ...keys, tags: '[birds, water]' }),
    ],
    [`books/${name}-book/01-heron.md`, CHAPTER],
    [`books/${name}-book/02-marsh.md`, CHAPTER.replace('heron', 'marsh')],
    [`skills/${name}-skill/item.yaml`, itemYaml({ title: `The ${name} skill`, ...keys })],
    [`skills/${name}-skill/SKILL.md`, skillMd(`${name}-skill`, CHAPTER)],
    [`skills/${name}-skill/scripts/run.sh`, '#!/bin/sh\necho run\n'],
  ]),
);

const LONG =
  'A Very Long Title That Goes On: Being an Account of Donaudampfschifffahrtsgesellschaftskapitänsmützen and Other Words';

export const THICK = 'The Programming Language of Herons';

const FULL: Files = {
  ...PRICED,
  'stall.yaml':
    'name: The Heron Stall\nawning: "#1f4e5f"\ncontact: hello@example.org\nterms: stall/terms.md\nimprint: stall/imprint.md\nprivacy: stall/privacy.md\n' +
    'bundles:\n  - slug: heron-set\n    title: The Heron Set\n    items: [paid-book, paid-skill]\n    description: Both of the heron.\n    unitAmountCents: 100\n    checkoutUrl: https://shop.example.org/set\n',
  'stall/imprint.md': 'Heron Press, 1 Reed Lane, 1000 Marsh\n\nRegister of companies: HRB 1',
  'stall/privacy.md': '# Privacy\n\nWe keep your address, to open what you bought.\n',
  'stall/terms.md': '# Terms\n\nRead, learn, lend. Do not sell copies.\n',
  'books/long-book/item.yaml': itemYaml({
    id: 'long-id',
    title: JSON.stringify(LONG),
    description: JSON.stringify(`${LONG}. `.repeat(6)),
    publisher: 'The Society for the Propagation of Water Birds',
    unitAmountCents: 123456700,
    language: 'de',
    license: 'CC-BY-4.0',
    version: '1.10',
    authors: '[Anna Author, Ben Writer]',
    sample: '[01.md]',
  }),
  'books/long-book/01.md': CHAPTER,
  ['books/long-book/' + 'very-long-folder-name/'.repeat(6) + 'file.md']: CHAPTER,
  // Too many files for a skill with more than its contents, and contents that scroll.
  'books/thick-book/item.yaml': itemYaml({ id: 'thick-id', title: THICK, version: '2026.11' }),
  ...Object.fromEntries(
    Array.from({ length: 501 }, (_, n) => [
      `books/thick-book/${n + 1000}.md`,
      `# Chapter ${n} of the programming language\n`,
    ]),
  ),
  'books/coming-book/item.yaml': itemYaml({
    id: 'coming-id',
    title: 'The coming book of herons',
    status: 'announced',
    unitAmountCents: 1900,
    sample: '[01.md]',
  }),
  'books/coming-book/01.md': CHAPTER,
  'books/broken-book/item.yaml': 'title: No price\n',
  'books/broken-book/01.md': CHAPTER,
  ...Object.fromEntries(
    Array.from({ length: 14 }, (_, index) => [
      `skills/skill-${index}/SKILL.md`,
      // The last one is long enough for a warning.
      skillMd(`skill-${index}`, 'Do it well.\n'.repeat(index === 13 ? 600 : 1)),
    ]),
  ),
  ...Object.fromEntries(
    Array.from({ length: 14 }, (_, index) => [
      `skills/skill-${index}/item.yaml`,
      itemYaml({ title: `Skill number ${index}`, unitAmountCents: index * 100 }),
    ]),
  ),
};

function hostileFiles(): Files {
  const words = JSON.stringify(EVIL);
  const more = Object.entries(PRICED).map(([path, content]): [string, string | Uint8Array] => {
    if (typeof content !== 'string') return [path, content];
    if (path.endsWith('item.yaml'))
      return [
        path,
        content.replace(/^(title|description|publisher): .*$/gm, (_, name) => `${name}: ${words}`) +
          `license: ${words}\nauthors: [${words}]\n`,
      ];
    if (path.endsWith('.md'))
      return [path, `${content}\n${EVIL}\n\n[a](javascript:alert(4)) <svg onload=alert(5)>\n`];
    return [path, content];
  });
  return {
    ...Object.fromEntries(more),
    'stall.yaml': `name: ${JSON.stringify(`Stall ${EVIL}`.slice(0, 60))}\nterms: stall/terms.md\n`,
    'stall/terms.md': `# Terms\n\n${EVIL}\n\n[a](javascript:alert(6))\n`,
    'books/long-book/item.yaml': itemYaml({ id: 'long-id', title: words }),
    'books/long-book/01.md': EVIL,
  };
}
