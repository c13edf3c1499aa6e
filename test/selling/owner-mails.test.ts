import { expect, test } from 'bun:test';
import { DAY } from '../../src/platform/base/duration.ts';
import { ANY_ORDER } from '../../src/selling/order.ts';
import { openClaimStall } from './claim-stall.ts';
import { order } from './providers/lemonsqueezy-events.ts';
import { dispute } from './providers/stripe-events.ts';

type Stall = Awaited<ReturnType<typeof openClaimStall>>;
type Act = (stall: Stall) => Promise<unknown>;

const OWNER = 'owner@example.org';
const nothing: Act = async () => {};
const disable: Act = ({ app }) => app.admin.accounts.disable(OWNER);
const sell: Act = (stall) => stall.buy('heron0001');
const disputed: Act = async (stall) => {
  await stall.buy('heron0001');
  await stall.deliver(dispute('created', 'heron0001', 60, 'needs_response'));
};

/** The owner's mails; a disabled account gets none. */
test.each<[string, Act, boolean, Act, number]>([
  ['a sale', nothing, true, sell, 1],
  ['a sale, not asked for', nothing, false, sell, 0],
  ['a sale, once disabled', disable, true, sell, 0],
  ['a dispute', nothing, false, disputed, 1],
  ['a dispute, once disabled', disable, false, disputed, 0],
])('%s', async (_, before, tellsSales, act, mails) => {
  const stall = await openClaimStall({ tellsSales });
  await stall.app.admin.accounts.add(OWNER, true);
  await before(stall);
  await act(stall);
  await stall.settle();
  expect(stall.server.received.filter(({ to }) => to.includes(OWNER))).toHaveLength(mails);
});

test('reports of readers: one mail at once, and then one a day at most, of those that are open by then', async () => {
  const stall = await openClaimStall();
  await stall.app.admin.accounts.add(OWNER, true);
  await stall.reader('ann@example.org');
  const reader = await stall.signIn('ann@example.org');
  const headers = { ...reader, 'Sec-Fetch-Site': 'same-origin' };
  const tell = async (question: string): Promise<number> => {
    const body = new URLSearchParams({ question });
    const sent = await stall.fetch('/books/free-book/reports', {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
    });
    await stall.settle();
    return sent.status;
  };
  const subjects = () => stall.server.received.map(({ header }) => header('Subject'));
  const [one, all] = [
    'A reader of The Heron Stall tells you something',
    '20 reports of readers at The Heron Stall',
  ];
  await tell('one');
  expect(subjects()).toEqual([one]);
  await tell('two');
  await tell('three');
  // Told twice, it is one report.
  await tell('three');
  expect(await tell(' ')).toBe(400);
  const more = Array.from({ length: 17 }, (_, n) => tell(`more ${n}`));
  expect(new Set(await Promise.all(more))).toEqual(new Set([303]));
  expect([await tell('one too many'), stall.store.countOpenReports()]).toEqual([409, 20]);
  stall.pass(DAY - 1);
  await stall.settle();
  expect(subjects()).toEqual([one]);
  stall.pass(1);
  await stall.settle();
  expect(subjects()).toEqual([one, all]);
  expect(stall.server.received.map(({ to, text }) => [to, text.includes('three')])).not.toContain(true);
  for (const { id } of stall.store.listReports('open'))
    await stall.store.write.setReportState({
      id,
      state: 'done',
      answer: '',
      at: stall.now(),
      isMailed: false,
    });
  stall.pass(DAY);
  await stall.settle();
  expect(subjects()).toEqual([one, all]);
});

const copies: Act = (stall) =>
  stall.lemonsqueezy(
    order('order_created', 1, {
      ...{ id: '917', user_email: 'team@example.org', total: 9500 },
      first_order_item: { id: 1, order_id: 917, variant_id: 510001, quantity: 5 },
    }),
  );
const trial: Act = (stall) => stall.buy('heron0001', 'ada@example.org', { id: 'cs_bookstall_1' });

test.each<[string, Act, readonly string[]]>([
  [
    'five copies',
    copies,
    ['Sold_at_The_Heron_Stall', 'It is a live sale.', 'Buyer: team@example.org', 'Copies: 5'],
  ],
  [
    'a test sale',
    trial,
    ['Test_sale_at_The_Heron_Stall', 'no money was paid', 'Buyer: ada@example.org', 'Copies: 1'],
  ],
])('the mail of %s names mode, buyer and copies, and leads to the order', async (_, act, says) => {
  const stall = await openClaimStall({ tellsSales: true });
  await stall.app.admin.accounts.add(OWNER, true);
  await act(stall);
  const mail = await stall.server.waitFor(OWNER);
  const [sold] = stall.store.listOrderPage({ ...ANY_ORDER, now: stall.now() }, NEWEST);
  const told = `${mail.header('Subject')}\n${mail.text}`;
  for (const part of [...says, `/admin/orders/${sold?.id}\n`]) expect(told).toContain(part);
  const [path = ''] = /\/admin\/orders\/\d+/.exec(told) ?? [];
  expect((await stall.fetch(path, { headers: await stall.signIn(OWNER) })).status).toBe(200);
});

const NEWEST = { beside: null, side: 'older', limit: 1 } as const;

test.each([
  ['done', 'Thank you. The next edition has it.', 'done', true],
  ['declined', '', 'declined', false],
  ['open', 'Which chapter do you mean?', 'open', true],
  ['open', '', 'open', null],
] as const)(
  'a report set to %s with the answer "%s" is told to its sender',
  async (state, answer, shown, says) => {
    const stall = await openClaimStall();
    await stall.app.admin.accounts.add(OWNER, true);
    await stall.reader('ann@example.org');
    const as = async (email: string) => {
      const headers = { ...(await stall.signIn(email)), 'Sec-Fetch-Site': 'same-origin' };
      return async (path: string, fields?: Record<string, string>) => {
        const sent = fields && { method: 'POST', body: new URLSearchParams(fields) };
        const response = await stall.fetch(path, { headers, redirect: 'manual', ...sent });
        return { status: response.status, html: await response.text() };
      };
    };
    const [ann, owner] = [await as('ann@example.org'), await as(OWNER)];
    await ann('/books/free-book/reports', { question: 'Where is the index?' });
    await stall.settle();
    const { html } = await owner('/admin/reports');
    const [address = ''] = /\/admin\/reports\/[\w-]{36}/.exec(html) ?? [];
    const tooLong = await owner(address, { state: 'done', answer: 'long '.repeat(1000) });
    expect([tooLong.status, tooLong.html.includes('write at most 4000 characters')]).toEqual([400, true]);
    expect((await owner(address, { state, answer })).status).toBe(303);
    await stall.settle();
    const mails = stall.server.received.filter(({ to }) => to.includes('ann@example.org'));
    expect(mails).toHaveLength(says === null ? 0 : 1);
    const own = (await ann('/dashboard/notes')).html;
    const sent = own.slice(own.indexOf('id="sent"'));
    expect([sent.includes(shown), sent.includes('The author’s answer')]).toEqual([true, says === true]);
    if (says !== null) {
      const [mail] = mails;
      expect(mail?.text).toContain(`is marked “${shown}”`);
      expect(mail?.text).toContain('/dashboard/notes#sent');
      expect(mail?.text).not.toContain('Where is the index');
      if (says) for (const where of [mail?.text, sent]) expect(where).toContain(answer);
    }
    const data = JSON.stringify(await stall.app.admin.personalData.export('ann@example.org'));
    expect(data.includes(answer)).toBe(true);
  },
);
