import { expect, test } from 'bun:test';
import { AT, OFFERS, openSaleDatabase } from './sale-database.ts';
import { completed, DAY, dispute, refund } from './providers/stripe-events.ts';

/** A database whose stall sends mail, and whose owner has an account. */
function openMailing() {
  const sales = openSaleDatabase();
  const settings = { grace: 3 * DAY * 1000, mail: 'queued', tellsSales: false } as const;
  sales.writes.setOffers({ offers: OFFERS, settings, at: 1 });
  const owner = { id: 'owner', email: 'owner@example.org', isOwner: true, createdAt: 1, disabledAt: null };
  sales.writes.addAccount({ ...owner, verifiedAt: 1 });
  const attention = async () => (await sales.orders())[0]?.attention ?? null;
  const told = () => sales.mails().filter(({ kind }) => kind === 'attention').length;
  return { ...sales, attention, told };
}

const bought = (email: string | null) => completed('s', 0, { customer_details: { email } });

test.each([['"ada lovelace"@example.org'], ['ada@example.org.'], [`${'a'.repeat(300)}@example.org`], [null]])(
  'the owner is told of a purchase whose address is %p, until it has an account',
  async (email) => {
    const sales = openMailing();
    sales.deliver('stripe', bought(email));
    expect(await sales.attention()).toContain('no address that mail can be sent to');
    expect(sales.told()).toBe(1);
    const fact = { kind: 'attach', accountId: 'eve', by: 'owner' } as const;
    sales.writes.actOnOrder({ orderId: 1, fact, origin: 'owner', at: AT });
    expect(await sales.attention()).toBeNull();
  },
);

test('the owner is told of a purchase whose mail was refused for good, until one arrives', async () => {
  const sales = openMailing();
  sales.deliver('stripe', bought('gone@example.net'));
  expect(await sales.attention()).toBeNull();
  const end = (state: 'queued' | 'failed' | 'sent') =>
    sales.writes.endMail({ id: 1, state, error: '550', at: AT });
  end('queued');
  expect(await sales.attention()).toBeNull();
  end('failed');
  expect(await sales.attention()).toContain('The mail to its buyer failed');
  expect(sales.told()).toBe(1);
  expect(sales.writes.repeatMail({ id: 1, at: AT })).toBeTrue();
  end('sent');
  expect(await sales.attention()).toBeNull();
});

test('unsent mails follow an order that a dispute closes and opens again', async () => {
  const sales = openMailing();
  const states = () => Object.fromEntries(sales.mails().map(({ kind, state }) => [kind, state]));
  sales.deliver('stripe', bought('new@example.net'));
  sales.deliver('stripe', dispute('created', 's', 60, 'needs_response'));
  expect(states()).toMatchObject({ claim: 'dropped', ended: 'queued' });
  sales.deliver('stripe', dispute('closed', 's', 90, 'won'));
  expect(states()).toMatchObject({ claim: 'queued', ended: 'dropped' });
  expect(sales.reads.findNextMailTime()).toBe(AT);
  sales.deliver('stripe', refund('refund.created', 's', 120));
  expect(states()).toMatchObject({ claim: 'dropped', ended: 'queued' });
});

test('a link that the owner passes on is as good as the mail that failed', async () => {
  const sales = openMailing();
  sales.deliver('stripe', bought('gone@example.net'));
  sales.writes.endMail({ id: 1, state: 'failed', error: '550', at: AT });
  const link = {
    purpose: 'claim',
    accountId: null,
    orderId: 1,
    address: 'gone@example.net',
    outboxId: 1,
    askerHash: null,
    secretHash: new Uint8Array(32),
    createdAt: AT,
    expiresAt: AT + 1,
  } as const;
  sales.writes.passLink({ link, mailId: 1 });
  expect(await sales.attention()).toBeNull();
});

test('a present needs no mail, nor does an erased order', async () => {
  const sales = openMailing();
  sales.deliver('stripe', bought('"ada"@example.org'));
  sales.writes.actOnOrder({ orderId: 1, fact: { kind: 'gift' }, origin: 'buyer', at: AT });
  expect(await sales.attention()).toBeNull();
  const other = openMailing();
  other.deliver('stripe', bought('"ada"@example.org'));
  other.writes.eraseOrder({ orderId: 1, at: AT });
  other.writes.refoldOrders({ orderIds: [1], at: AT });
  expect(await other.attention()).toBeNull();
});
