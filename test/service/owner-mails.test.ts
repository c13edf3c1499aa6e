import { expect, test } from 'bun:test';
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
