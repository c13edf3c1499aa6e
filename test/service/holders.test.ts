import { describe, expect, test } from 'bun:test';
import { countHolders, listHolders } from '../../src/service/grants.ts';
import { DAY, openAdmin, refusalOf, TODAY } from './admin-services.ts';

const { store, accounts, grants, now } = await openAdmin();
const stall = { store, now };
for (const email of ['ben@example.org', 'anna@example.org', 'cleo@example.org']) await accounts.add(email);
await grants.add({ email: 'anna@example.org', slug: 'heron', source: 'shop' });
await grants.add({ email: 'ben@example.org', slug: 'heron' });
await grants.add({ email: 'anna@example.org', slug: 'heron', source: 'gift' });
await grants.add({ email: 'cleo@example.org', slug: 'heron' });
await grants.add({ email: 'cleo@example.org', slug: 'tool' });
await grants.revoke('cleo@example.org', 'heron', null);

const item = { kind: 'book', itemKey: 'heron-id' } as const;
const listed = async (email: string | null) =>
  (await listHolders(stall, 'heron', email)).map((holder) => [holder.email, holder.source, holder.revokedAt]);

describe('the holders of an item', () => {
  test('are listed by account and source, ended ones too, and of one account alone', async () => {
    expect(await listed(null)).toEqual([
      ['anna@example.org', 'gift', null],
      ['anna@example.org', 'shop', null],
      ['ben@example.org', 'manual', null],
      ['cleo@example.org', 'manual', TODAY],
    ]);
    expect(await listed('CLEO@example.org')).toEqual([['cleo@example.org', 'manual', TODAY]]);
  });

  test('are counted once for each account whose grant is active', async () => {
    expect(await countHolders(stall, item)).toBe(2);
    await accounts.disable('ben@example.org');
    expect(await countHolders(stall, item)).toBe(1);
    await accounts.enable('ben@example.org');
    expect(await countHolders(stall, item)).toBe(2);
    expect(await countHolders(stall, { kind: 'skill', itemKey: 'heron-id' })).toBe(0);
  });

  test('have the last download and question of this item, whatever came after', async () => {
    const { id: accountId } = await accounts.find('ben@example.org');
    const row = { id: 'd', accountId, keyId: null, slug: 's', digest: 'd', door: 'zip', bytes: 1 };
    const download = (kind: string, itemKey: string, days: number) => ({
      ...row,
      kind,
      itemKey,
      downloadedAt: TODAY - days * DAY,
    });
    const downloads = [
      download('book', 'heron-id', 5),
      download('skill', 'heron-id', 3),
      download('skill', 'tool', 1),
    ];
    await store.write.addDownloads(JSON.stringify(downloads));
    await store.write.addServerStart({ id: 's', version: '1', startedAt: 0 });
    for (const [id, bookId, days] of [
      ['q1', 'heron-id', 7],
      ['q2', 'other-id', 2],
    ] as const) {
      const question = { id, serverStartId: 's', accountId, keyId: null, bookId, engine: 'extractive' };
      await store.write.openFetchLog({ ...question, askedAt: TODAY - days * DAY });
    }
    expect(await listHolders(stall, 'heron', 'ben@example.org')).toMatchObject([
      { lastDownload: TODAY - 5 * DAY, lastQuestion: TODAY - 7 * DAY },
    ]);
    expect(await listHolders(stall, 'heron', 'anna@example.org')).toMatchObject([
      { lastDownload: null, lastQuestion: null },
      { lastDownload: null, lastQuestion: null },
    ]);
  });

  test('of an unknown item or account are refused', async () => {
    expect(await refusalOf(listHolders(stall, 'none', null))).toStartWith(
      'not-found: Cannot find an item "none"',
    );
    expect(await refusalOf(listHolders(stall, 'heron', 'nobody@example.org'))).toStartWith(
      'not-found: Cannot find an account "nobody@example.org"',
    );
  });
});
