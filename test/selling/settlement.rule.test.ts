import { expect, test } from 'bun:test';
import type { Fact } from '../../src/selling/fact.rule.ts';
import { type KnownOrder, settle, type Settlement } from '../../src/selling/settlement.rule.ts';
import { BOOK } from './sale-database.ts';

const HOUR = 60 * 60 * 1000;
const AT = 10 * HOUR;
const KEYS = { keys: ['k'], products: ['p'], quantity: 1 } as const;
const BUYER: Fact = { kind: 'buyer', ...KEYS, ref: 'r', email: ' ada@example.org', isSubscription: null };
const paid = (until: number | null = null): Fact => {
  const money = { amount: 900, tax: 0, currency: 'usd' };
  return { kind: 'payment', ...KEYS, ids: ['a'], state: 'paid', ...money, until };
};
const [BACK, GIFT] = [{ kind: 'give-back' } as const, { kind: 'gift' } as const];
const attach = (by: 'owner' | 'return' | 'mail'): Fact => ({ kind: 'attach', accountId: 'ada', by });

const known = (more: Partial<KnownOrder> = {}): KnownOrder => ({
  id: 7,
  number: 1,
  state: 'paid',
  claimedAt: null,
  until: null,
  attention: null,
  erasedAt: null,
  isTest: false,
  quantity: 1,
  bundle: null,
  products: ['p'],
  kept: [],
  ...more,
});

type Ports = Parameters<typeof settle>[2];

/** Settles an order of the book, of which the stall knows what is given. */
function settleOf(
  facts: readonly Fact[],
  before: KnownOrder | null,
  ports: Partial<Ports> = {},
  delay = 0,
): Settlement {
  const chain = [BUYER, ...facts].map((fact, number) => ({
    at: number,
    eventId: 'e',
    number,
    origin: 'webhook',
    fact,
  }));
  const all: Ports = {
    offerOf: (product) => ({ provider: 'x', product, bundle: null, items: [BOOK], least: null }),
    isPublished: () => true,
    grace: 0,
    isOlder: false,
    hasAccount: (id) => id === 'ada',
    accountOf: () => null,
    isMailable: (address) => address.includes('@') && address.trim() === address,
    hasFailedClaim: () => false,
    findOwner: () => ({ id: 'owner', email: 'owner@example.org' }),
    findAttentionMail: () => null,
    tellsSales: true,
    ...ports,
  };
  const settled = settle(before, chain, all, { at: AT, delay });
  if (settled === null || settled === 'not-ours') throw new Error('No order');
  return settled;
}

const verified = { accountOf: () => 'ada' };

test.each<
  readonly [string, readonly Fact[], KnownOrder | null, Partial<Ports>, string, string, Settlement['codes']]
>([
  ['new, of a stranger', [paid()], null, {}, 'claim sale', 'ended', 'restore'],
  ['new, of a verified account', [paid()], null, verified, 'library sale', 'claim ended', 'restore'],
  ['paid before', [paid()], known(), {}, 'claim', 'ended', 'keep'],
  ['claimed on the return page', [paid(), attach('return')], known(), {}, '', 'ended', 'keep'],
  ['claimed by the mail', [paid(), attach('mail')], known(), {}, '', 'claim ended', 'keep'],
  ['given back', [paid(), BACK], known(), {}, 'ended', 'claim library', 'revoke'],
  ['run out', [paid(AT)], known({ until: AT + 1 }), {}, 'ended', 'claim library', 'keep'],
  ['run out before', [paid(AT)], known({ until: AT }), {}, '', 'claim library', 'keep'],
  ['a present', [paid(), GIFT], known(), {}, '', 'claim library', 'keep'],
  ['a present, given back', [paid(), GIFT, BACK], known(), {}, '', 'claim library', 'revoke'],
  ['paid again', [paid()], known({ state: 'disputed' }), {}, 'claim sale', 'ended', 'restore'],
  ['of a stall that is not told', [paid()], null, { tellsSales: false }, 'claim', 'ended', 'restore'],
  ['of a stall without an owner', [paid()], null, { findOwner: () => null }, 'claim', 'ended', 'restore'],
])('an order %s leads to its mails', (_, facts, before, ports, mails, dropped, codes) => {
  const settled = settleOf(facts, before, ports);
  expect(settled.mails.map(({ kind }) => kind).join(' ')).toBe(mails);
  expect(settled.dropped.join(' ')).toBe(dropped);
  expect(settled.codes).toBe(codes);
});

test('the mail to a buyer waits for what is still asked, the one to the owner does not', () => {
  const { mails } = settleOf([paid()], null, verified, 5000);
  expect(mails.map(({ kind, dueAt }) => [kind, dueAt - AT])).toEqual([
    ['library', 5000],
    ['sale', 0],
  ]);
});

test.each([
  ['none before', null, AT],
  ['one that waits', { isWaiting: true, at: 0 }, null],
  ['one of ten minutes ago', { isWaiting: false, at: AT - HOUR / 6 }, AT + (HOUR * 5) / 6],
  ['one of long ago', { isWaiting: false, at: 0 }, AT],
])('the owner is asked for attention once an hour: after %s', (_, earlier, dueAt) => {
  const lost: Fact = { kind: 'dispute', ...KEYS, ids: ['a'], id: 'd', state: 'open' };
  const settled = settleOf([paid(), lost], null, { findAttentionMail: () => earlier });
  expect(settled.mails.find(({ kind }) => kind === 'attention')?.dueAt ?? null).toBe(dueAt);
});

test.each<readonly [string, readonly Fact[], Partial<Ports>, KnownOrder | null, boolean]>([
  ['paid', [paid()], {}, null, true],
  ['given back at once', [paid(), BACK], {}, null, true],
  ['numbered before', [paid()], {}, known(), false],
  ['of a test', [paid()], {}, known({ number: null, isTest: true }), false],
  ['held', [paid()], { isPublished: () => false }, null, false],
  ['of nothing that is known', [paid()], { offerOf: () => null }, null, false],
  ['not paid', [], {}, null, false],
])('an order that is %s takes a number: %#', (_, facts, ports, before, isNumbered) => {
  expect(settleOf(facts, before, ports).isNumbered).toBe(isNumbered);
});
