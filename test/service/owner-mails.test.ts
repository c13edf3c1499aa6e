import { expect, test } from 'bun:test';
import { DAY } from '../../src/duration.ts';
import { openClaimStall } from '../http/site/account/claim-stall.ts';
import { dispute } from '../sales/stripe-events.ts';

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
    await stall.store.write.setReportState({ id, state: 'done', at: stall.now() });
  stall.pass(DAY);
  await stall.settle();
  expect(subjects()).toEqual([one, all]);
});
