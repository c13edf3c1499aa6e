import { expect, test } from 'bun:test';
import type {
  AccountPrincipal,
  AgentPrincipal,
  Principal,
  TokenAction,
} from '../../src/platform/base/principal.ts';
import { createCatalog, type Edition } from '../../src/catalog/catalog.ts';
import type { Stall } from '../../src/office/stall.ts';
import { access as accessTo, type Action } from '../../src/accounts/access.ts';
import { defaultStallManifest } from '../../src/catalog/stall-manifest.rule.ts';
import { compile, makeItem } from '../publishing/item-folder.ts';
import { itemYaml, temporaryDirectory } from '../helpers/harness.ts';
import { DAY, openAdmin, refusalOf, TODAY } from '../helpers/admin-services.ts';

const { store, accounts, grants, now } = await openAdmin();
const data = temporaryDirectory();
const editionOf = (keys: Readonly<Record<string, string | number>>): Edition =>
  compile(makeItem({ 'item.yaml': itemYaml({ id: 'heron-id', ...keys }) }), data);
const ITEMS = {
  free: editionOf({ unitAmountCents: 0 }),
  paid: editionOf({ unitAmountCents: 1900 }),
  draft: editionOf({ unitAmountCents: 0, status: 'draft' }),
  archived: editionOf({ unitAmountCents: 1900, status: 'archived' }),
  'free archived': editionOf({ unitAmountCents: 0, status: 'archived' }),
  sampled: editionOf({ unitAmountCents: 1900, sample: '[01.md]' }),
  'sampled draft': editionOf({ unitAmountCents: 1900, status: 'draft', sample: '[01.md]' }),
};

const day = (days: number) => new Date(TODAY + days * DAY).toISOString();
const GRANTS = {
  none: null,
  live: {},
  'ends later': { until: day(1) },
  ended: { from: day(-2), until: day(0) },
  'not begun': { from: day(1) },
};

async function principalOf(name: string, dates: object | null): Promise<Principal> {
  const { id, email } = await accounts.add(`${name.replaceAll(' ', '-')}@example.org`);
  if (dates !== null) await grants.add({ email, slug: 'heron', ...dates });
  return { kind: 'account', accountId: id, email, keyId: 1 };
}

const holders = new Map<string, AgentPrincipal>([['nobody', { kind: 'anonymous', complaint: null }]]);
for (const [name, dates] of Object.entries(GRANTS)) holders.set(name, await principalOf(name, dates));
holders.set('revoked', await principalOf('revoked', {}));
await grants.revoke('revoked@example.org', 'heron', null);
await grants.add({ email: 'ended@example.org', slug: 'tool' });
const owner = { ...(await principalOf('owner', null)), keyId: null, sessionId: 's', isOwner: true };
holders.set('owner', owner);
holders.set('owner by key', await principalOf('owner-key', null));
holders.set('reader by session', { ...owner, isOwner: false } as Principal);

const tokenOf = (
  name: string,
  items: readonly string[] | null,
  may: TokenAction[] = ['take'],
): AgentPrincipal => {
  const { accountId, email } = holders.get(name) as AccountPrincipal;
  const named = items?.map((itemKey) => ({ kind: 'book' as const, itemKey })) ?? null;
  return { kind: 'token', accountId, email, tokenId: 1, scope: { items: named, may } };
};
const TOKENS: Readonly<Record<string, AgentPrincipal>> = {
  'of a holder': tokenOf('live', null),
  'of a holder, for the item': tokenOf('live', ['other', 'heron-id']),
  'of a holder, for another item': tokenOf('live', ['other']),
  'of a holder, that also reads': tokenOf('live', null, ['take', 'read', 'ask']),
  'of a holder, that also reads, for another item': tokenOf('live', ['heron'], ['take', 'read', 'ask']),
  'without a grant': tokenOf('none', null),
  'whose grant was revoked': tokenOf('revoked', ['heron-id']),
  'without a grant, that also reads': tokenOf('none', null, ['take', 'read', 'ask']),
  'of the owner': tokenOf('owner', null, ['take', 'read', 'ask']),
};

const OK = 'not refused: null';
const ACTIONS: readonly Action[] = ['look', 'read', 'install', 'zip', 'take', 'files', 'ask'];
/** Per item: what nobody, an account without a live grant, a holder and the owner get, for each action in turn. */
// prettier-ignore
const TABLE: Readonly<Record<keyof typeof ITEMS, readonly [string, string, string, string]>> = {
  free: ['ok ok ok ok ok 401 401', 'ok ok ok ok ok 403 ok', 'ok ok ok ok ok ok ok', 'ok ok ok ok ok 403 ok'],
  paid: ['ok 401 401 401 401 401 401', 'ok 403 403 403 403 403 403', 'ok ok ok ok ok ok ok', 'ok ok 403 403 403 403 ok'],
  draft: ['404 404 404 404 404 404 404', '404 404 404 404 404 404 404', '404 404 404 404 404 404 404', 'ok ok 404 404 404 404 ok'],
  archived: ['404 404 404 404 404 404 404', '404 404 404 404 404 404 404', 'ok ok ok ok ok ok ok', 'ok ok 404 404 404 404 ok'],
  'free archived': ['404 404 404 404 404 404 404', '404 404 404 404 404 404 404', 'ok ok ok ok ok ok ok', 'ok ok 404 404 404 404 ok'],
  sampled: ['ok ok 401 401 401 401 401', 'ok ok 403 403 403 403 403', 'ok ok ok ok ok ok ok', 'ok ok 403 403 403 403 ok'],
  'sampled draft': ['404 404 404 404 404 404 404', '404 404 404 404 404 404 404', '404 404 404 404 404 404 404', 'ok ok 404 404 404 404 ok'],
};
const WORDS: Readonly<Record<string, string>> = {
  [OK]: 'ok',
  unauthenticated: '401',
  'access-denied': '403',
  'not-found': '404',
};
const COLUMN: Readonly<Record<string, number>> = { nobody: 0, live: 2, 'ends later': 2, owner: 3 };

const accessOf =
  (contact: string | null) =>
  (principal: AgentPrincipal, edition: Edition, action: Action, path?: string): void => {
    const manifest = () => ({ ...defaultStallManifest, contact });
    const catalog = createCatalog([]);
    return accessTo({ store, catalog: () => catalog, manifest, now } as Partial<Stall> as Stall, principal, {
      edition,
      action,
      path,
    });
  };
const access = accessOf('stall@example.org');
const rows = Object.keys(TABLE).flatMap((item) =>
  [...holders.keys()].map((holder) => [item as keyof typeof ITEMS, holder] as const),
);

async function outcomesOf(principal: AgentPrincipal, item: keyof typeof ITEMS): Promise<string> {
  const outcomes = [];
  for (const action of ACTIONS) {
    const outcome = await refusalOf(() => access(principal, ITEMS[item], action, '01.md'));
    outcomes.push(WORDS[outcome] ?? WORDS[outcome.split(':')[0] ?? ''] ?? outcome);
  }
  return outcomes.join(' ');
}

test.each(rows)('%s item, grant %s', async (item, holder) => {
  expect(await outcomesOf(holders.get(holder)!, item)).toBe(TABLE[item][COLUMN[holder] ?? 1] ?? '');
});

/** Per item: what each token gets, for each action in turn. */
// prettier-ignore
const BY_TOKEN: Readonly<Record<string, Readonly<Record<'free' | 'paid' | 'draft' | 'archived' | 'sampled', string>>>> = {
  'of a holder':                                    { free: 'ok ok ok ok ok 401 401', paid: 'ok 401 401 401 ok 401 401',  draft: '404 404 404 404 404 404 404', archived: '404 404 404 404 ok 404 404',  sampled: 'ok ok 401 401 ok 401 401' },
  'of a holder, for the item':                      { free: 'ok ok ok ok ok 401 401', paid: 'ok 401 401 401 ok 401 401',  draft: '404 404 404 404 404 404 404', archived: '404 404 404 404 ok 404 404',  sampled: 'ok ok 401 401 ok 401 401' },
  'of a holder, for another item':                  { free: 'ok ok ok ok ok 401 401', paid: 'ok 401 401 401 403 401 401', draft: '404 404 404 404 404 404 404', archived: '404 404 404 404 404 404 404', sampled: 'ok ok 401 401 403 401 401' },
  'of a holder, that also reads':                   { free: 'ok ok ok ok ok 401 ok',  paid: 'ok ok 401 401 ok 401 ok',    draft: '404 404 404 404 404 404 404', archived: '404 ok 404 404 ok 404 ok',    sampled: 'ok ok 401 401 ok 401 ok' },
  'of a holder, that also reads, for another item': { free: 'ok ok ok ok ok 401 ok',  paid: 'ok 403 401 401 403 401 403', draft: '404 404 404 404 404 404 404', archived: '404 404 404 404 404 404 404', sampled: 'ok ok 401 401 403 401 403' },
  'without a grant':                                { free: 'ok ok ok ok ok 401 401', paid: 'ok 401 401 401 403 401 401', draft: '404 404 404 404 404 404 404', archived: '404 404 404 404 404 404 404', sampled: 'ok ok 401 401 403 401 401' },
  'whose grant was revoked':                        { free: 'ok ok ok ok ok 401 401', paid: 'ok 401 401 401 403 401 401', draft: '404 404 404 404 404 404 404', archived: '404 404 404 404 404 404 404', sampled: 'ok ok 401 401 403 401 401' },
  'without a grant, that also reads':               { free: 'ok ok ok ok ok 401 ok',  paid: 'ok 403 401 401 403 401 403', draft: '404 404 404 404 404 404 404', archived: '404 404 404 404 404 404 404', sampled: 'ok ok 401 401 403 401 403' },
  'of the owner':                                   { free: 'ok ok ok ok ok 401 ok',  paid: 'ok 403 401 401 403 401 403', draft: '404 404 404 404 404 404 404', archived: '404 404 404 404 404 404 404', sampled: 'ok ok 401 401 403 401 403' },
};

test.each(
  Object.entries(BY_TOKEN).flatMap(([token, cells]) =>
    Object.entries(cells).map(([item, cell]) => [item as keyof typeof ITEMS, token, cell] as const),
  ),
)('%s item, token %s', async (item, token, expected) => {
  expect(await outcomesOf(TOKENS[token]!, item)).toBe(expected);
});

test('the refusal of an item outside a token names neither grant nor price', async () => {
  expect(await refusalOf(() => access(TOKENS['of a holder, for another item']!, ITEMS.paid, 'take'))).toBe(
    'access-denied: Cannot take "heron": this install token does not include it; make one that does on the page /dashboard/connect',
  );
});

test('the refusal says what was wrong with the credential, and of a free item where to install it', async () => {
  const bad: Principal = { kind: 'anonymous', complaint: 'the API key has expired; create a new one' };
  expect(await refusalOf(() => access(bad, ITEMS.paid, 'install'))).toBe(
    'unauthenticated: Cannot install "heron": the API key has expired; create a new one',
  );
  expect(await refusalOf(() => access(holders.get('none')!, ITEMS.free, 'files'))).toEndWith(
    'it is free, install it from /api/install/heron',
  );
});

test.each([
  [
    { checkoutUrl: 'https://shop.example.org/heron', contact: 'me@example.org' },
    'buy it for $19 at https://shop.example.org/heron',
  ],
  [{ contact: 'me@example.org' }, 'to buy it for $19, contact me@example.org'],
  [{}, 'to buy it for $19, contact stall@example.org'],
  [{ unitAmountCents: 1950, currency: 'eur' }, 'to buy it for €19.50, contact stall@example.org'],
])('the refusal of a paid item with %j says: %s', async (keys, remedy) => {
  const item = editionOf({ unitAmountCents: 1900, ...keys });
  for (const action of ['install', 'zip', 'files', 'ask', 'read'] as const)
    expect(await refusalOf(() => access(holders.get('none')!, item, action))).toEndWith(
      `holds no live grant for it; ${remedy}`,
    );
  const stranger: Principal = { kind: 'anonymous', complaint: null };
  expect(await refusalOf(() => access(stranger, item, 'install'))).toBe(
    `unauthenticated: Cannot install "heron": send an API key as "Authorization: Bearer svc_…"; or ${remedy}`,
  );
});

test('without any contact the refusal of a paid item names its publisher', async () => {
  const alone = accessOf(null);
  expect(await refusalOf(() => alone(holders.get('none')!, ITEMS.paid, 'install'))).toEndWith(
    'to buy it for $19, ask its publisher, A publisher',
  );
});

test('a sample opens its own path alone', async () => {
  const nobody = holders.get('nobody')!;
  expect(await refusalOf(() => access(nobody, ITEMS.sampled, 'read', '02.md'))).toStartWith(
    'unauthenticated',
  );
  expect(await refusalOf(() => access(nobody, ITEMS.sampled, 'read'))).toStartWith('unauthenticated');
});

test('a draft is refused with the very words of an item that is not there', async () => {
  const outcomes = await Promise.all(
    [...holders.values()].map((principal) => refusalOf(() => access(principal, ITEMS.draft, 'install'))),
  );
  expect(new Set(outcomes)).toEqual(
    new Set(['not-found: Cannot find "heron": the catalog at /api/items lists what this stall serves']),
  );
});

test.each([
  [{ expected: 'spring 2027' }, 'it is not published yet (expected: spring 2027)'],
  [{}, 'it is not published yet'],
])('an announced item with %j is not offered for sale to a key', async (keys, sentence) => {
  const coming = editionOf({ unitAmountCents: 1900, status: 'announced', ...keys });
  const refusal = await refusalOf(() => access(holders.get('none')!, coming, 'take'));
  expect(refusal).toBe(`access-denied: Cannot take "heron": ${sentence}`);
});
