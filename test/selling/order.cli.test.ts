import { describe, expect, test } from 'bun:test';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../src/store.ts';
import { openStall, SHELF, writeFiles } from '../helpers/harness.ts';
import { type } from '../platform/cli/type.ts';

const stall = await openStall({ files: SHELF });
await stall.app.admin.accounts.add('ann@example.org');
const [data, base] = [join(stall.directory, 'data'), 'https://books.example.org'];
const run = (...words: readonly string[]) => type([...words, '--data', data]);
const json = async (...words: readonly string[]) =>
  JSON.parse((await run(...words, '--json')).out) as unknown;

const HUGE = join(stall.directory, 'huge.csv');
writeFileSync(HUGE, 'email\n');
truncateSync(HUGE, 33 << 20);

type Added = { readonly id: number; readonly ref: string; readonly claim: string | null };

describe('orders on the command line', () => {
  test('are added beside a running server, with a claim link if nobody holds them', async () => {
    const { code, out, err } = await run('orders', 'add', 'bob@example.org', 'paid-book', '--base-url', base);
    expect(code).toBe(0);
    expect(out.trim()).toMatch(/^https:\/\/books\.example\.org\/claim#[\w-]{43}$/);
    expect(err).toMatch(/Pass this link on to bob@example\.org: it claims order 1 \([\w-]+\)/);
    const held = (await json('orders', 'add', 'ann@example.org', 'paid-book', '--base-url', base)) as Added;
    expect(held.claim).toBeNull();
  });

  test('are listed and shown in the shape of the contract', async () => {
    const list = (await json('orders', 'list', '--email', 'ANN@example.org')) as readonly { id: number }[];
    expect(list).toHaveLength(1);
    expect(Object.keys(list[0] ?? {})).toEqual(
      'id number provider providerRef ref state email account items bundle quantity amount tax currency refunded until paidAt claimedAt attention isTest'.split(
        ' ',
      ),
    );
    expect(list[0]).toMatchObject({
      provider: 'hand',
      state: 'paid',
      account: 'ann@example.org',
      items: ['paid-book'],
    });
    const shown = await run('orders', 'show', String(list[0]?.id));
    expect(shown.out).toContain('state: paid');
    expect(shown.out).toMatch(/buyer\n.*payment\n.*grant\n/s);
  });

  test('are revoked, granted, attached, refunded and erased', async () => {
    const { id, ref } = (await json(
      'orders',
      'add',
      'cy@example.org',
      'paid-book',
      '--amount',
      '1900',
      '--currency',
      'usd',
      '--base-url',
      base,
    )) as Added;
    const act = async (...words: readonly string[]) => (await run('orders', ...words)).out.trim();
    const name = `Order 3 (${ref}) of cy@example.org`;
    expect(await act('attach', ref, 'ann@example.org')).toBe(`${name} is attached; its state is paid`);
    expect(await act('revoke', String(id))).toStartWith(`${name} is revoked`);
    expect(await act('grant', ref.toLowerCase())).toBe(`${name} is granted; its state is paid`);
    expect(await act('refund', ref)).toBe(`${name} is marked as refunded; its state is refunded`);
    expect(await act('erase', ref)).toBe(`${name} has no buyer any more`);
    expect((await run('orders', 'show', String(id))).out).not.toContain('cy@example.org');
  });

  test('are imported from a table, and print a table of claim links', async () => {
    const csv =
      'ref,email,slug,amount,currency\n1,dee@example.org,paid-book,900,USD\n2,ann@example.org,paid-skill,900,USD\n';
    writeFiles(stall.directory, { 'sales.csv': csv });
    const file = join(stall.directory, 'sales.csv');
    const { code, out } = await run('orders', 'import', file, '--base-url', base);
    expect(code).toBe(0);
    const [header, dee = '', ann = ''] = out.trimEnd().split('\r\n');
    expect(header).toBe('id,ref,email,state,claim');
    expect(dee).toMatch(/^\d+,1,dee@example\.org,paid,https:\/\/books\.example\.org\/claim#[\w-]{43}$/);
    expect(ann).toMatch(/^\d+,2,ann@example\.org,paid,$/);
    writeFileSync(file, csv.replace('dee@', 'di@'));
    const again = await run('orders', 'import', file, '--base-url', base);
    expect([again.code, again.out.trimEnd().split('\r\n').length]).toEqual([0, 2]);
    expect(again.err).toMatch(/line 2 \(d…@e…\) was left out: order \S+: it is dee@example\.org’s\n/);
    writeFileSync(file, Buffer.from('ref,email,slug\n3,jörgen@example.org,paid-book\n', 'latin1'));
    expect((await run('orders', 'import', file)).out).toContain(',3,jörgen@example.org,paid,http');
  });

  test('are imported from another program’s table: asked what it does not say, tried first, and each row told that is left', async () => {
    const csv = [
      'Buyer;Bought;Price;Sale Date',
      'ivy@example.org;The Paid Book;"1.019,50 €";2025-03-01',
      'jay@example.org;Field notes = PDF;9,00;2025-03-01 10:00:00 UTC',
      'kim@example.org;Field notes = PDF;nine;2025-03-01',
      'lou;The paid book;9;2025-03-01',
      ';;;',
    ].join('\r\n');
    const file = join(stall.directory, 'buyers.csv');
    writeFileSync(file, Buffer.from(`\ufeff${csv}`, 'utf16le'));
    const columns = ['email=Buyer', 'product=Bought', 'amount=Price', 'paid_at=Sale Date'].flatMap((pair) => [
      '--column',
      pair,
    ]);
    const importing = (...more: readonly string[]) =>
      run(
        'orders',
        'import',
        file,
        '--content',
        stall.content,
        '--base-url',
        base,
        '--currency',
        'EUR',
        ...columns,
        ...more,
      );
    const tried = await importing('--dry-run');
    expect(tried.out).toBe('id,ref,email,state,claim\r\n');
    expect(tried.err).toBe(
      [
        'line 3 (j…@e…) was left out: nothing here is known as "Field notes = PDF"',
        'line 4 (k…@e…) was left out: "nine" is no amount of EUR',
        'line 5 (l…@l…) was left out: Cannot read "lou" as an e-mail address: write it as name@example.org',
        'rows that need an item: 1; give --product "Field notes = PDF=SLUG"',
        'Orders that would be made: 1; known before: 0; rows left out: 3; claim links: 0\n',
      ].join('\n'),
    );
    const chosen = ['--product', 'Field notes = PDF=paid-skill', '--json'];
    const made = JSON.parse((await importing(...chosen)).out);
    expect(made).toMatchObject({
      made: 2,
      known: 0,
      orders: [{ email: 'ivy@example.org' }, { email: 'jay@example.org' }],
      left: [{ line: 4, buyer: 'k…@e…' }, { line: 5 }],
    });
    expect((await run('orders', 'list', '--email', 'ivy@example.org')).out).toContain(' €1,019.50 ');
    const shown = JSON.parse((await run('orders', 'list', '--email', 'ivy@example.org', '--json')).out);
    expect(shown).toMatchObject([
      {
        provider: 'hand',
        amount: 101_950,
        currency: 'eur',
        items: ['paid-book'],
        paidAt: '2025-03-01T00:00:00.000Z',
      },
    ]);
    expect(JSON.parse((await importing(...chosen)).out)).toMatchObject({ made: 0, known: 2 });
  });

  test.each([
    ['an unknown id', ['orders', 'show', '99999'], 1, 'Cannot find order "99999"'],
    ['an unknown reference', ['orders', 'erase', '00000-00000'], 1, 'Cannot find order "00000-00000"'],
    ['a word for an id', ['orders', 'revoke', 'last'], 1, 'the first column of "bookstall orders list"'],
    ['an unknown state', ['orders', 'list', '--state', 'constructor'], 2, 'give unmatched, held,'],
    [
      'a time that is none',
      ['orders', 'list', '--since', 'yesterday'],
      2,
      'Cannot read the time "yesterday"',
    ],
    [
      'an amount without its currency',
      ['orders', 'add', 'a@example.org', 'paid-book', '--amount', '5'],
      2,
      'without --currency',
    ],
    [
      'an amount with a point',
      ['orders', 'add', 'a@example.org', 'paid-book', '--amount', '5.5', '--currency', 'USD'],
      2,
      'whole number',
    ],
    ['a file that is not there', ['orders', 'import', '/nowhere.csv'], 1, 'Cannot read "/nowhere.csv"'],
    ['a file that is too large', ['orders', 'import', HUGE], 1, 'more than 32 MB; divide it'],
    [
      'a column of no meaning',
      ['orders', 'import', 'x.csv', '--column', 'name=Buyer'],
      2,
      'with one of email, ref,',
    ],
    [
      'a product without its item',
      ['orders', 'import', 'x.csv', '--product', 'Notes'],
      2,
      'give --product NAME=SLUG',
    ],
    ['a mail that is not there', ['mail', 'send', '99999'], 1, 'Cannot find mail 99999'],
  ])('are refused with %s', async (_, words, code, sentence) => {
    const result = await run(...words);
    expect([result.code, result.err.includes(sentence)]).toEqual([code, true]);
  });
});

test('mail is listed, queued again, and not sent without a server', async () => {
  await run('orders', 'add', 'eve@example.org', 'paid-book', '--mail', '--base-url', base);
  const [mail] = (await json('mail', 'list')) as readonly {
    id: number;
    kind: string;
    to: string;
    state: string;
  }[];
  expect(mail).toMatchObject({ kind: 'claim', to: 'eve@example.org', state: 'manual' });
  expect(Object.keys(mail ?? {})).toEqual(['id', 'order', 'kind', 'to', 'state', 'tries', 'next']);
  const test = await type(['mail', 'test', 'eve@example.org']);
  expect([test.code, test.err]).toEqual([
    1,
    expect.stringContaining('set BOOKSTALL_SMTP_URL and BOOKSTALL_MAIL_FROM'),
  ]);
});

describe('orders replay', () => {
  test.each([[[]], [['17', '--all']], [['--failed', '--all']]] as const)(
    'is refused with %j as what to replay',
    async (words) => {
      const { code, err } = await run('orders', 'replay', ...words);
      expect([code, err]).toEqual([2, expect.stringContaining('one of --failed, --waiting and --all')]);
    },
  );

  test('counts what it read, and asks no provider without a key', async () => {
    expect(await json('orders', 'replay', '--failed')).toEqual({ folded: 0 });
    expect(await json('orders', 'replay', '--waiting')).toEqual({ answered: 0, waiting: 0 });
    const { events, orders } = (await json('orders', 'replay', '--all')) as {
      events: number;
      orders: number;
    };
    expect(events).toBe(0);
    expect(orders).toBe(((await json('orders', 'list')) as readonly unknown[]).length);
    const store = await openStore(data);
    const acts = store.listAuditEntries(Number.MAX_SAFE_INTEGER, 2).map(({ subject }) => subject);
    await store.close();
    expect(acts).toEqual(['all events', 'failed events']);
  });
});
