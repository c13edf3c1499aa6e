import type { Actor } from '../../access/actor.ts';
import { Refusal } from '../../refusal.ts';
import { stateAt } from '../../sales/order.ts';
import type { Store } from '../../store/store.ts';
import { type MintedLink, mintLink } from '../links.ts';
import { describeActs } from '../audit-entry.ts';

/** Creates the links by which buyers claim an order, for the owner to pass on. */
export function createClaimLinks(store: Store, by: Actor, now: () => number) {
  const describe = describeActs(by, now);
  /**
   * Creates a link, which is shown only once. Refuses an order that is not paid, was claimed, became a present, or has
   * no address any more.
   */
  return async (orderId: number, origin: string): Promise<MintedLink> => {
    const order = await store.findOrder(orderId);
    if (order === null)
      throw new Refusal('not-found', `Cannot find order ${orderId}: "bookstall orders list" shows them all`);
    const { ref, email: address, claimedAt, account } = order;
    const cannot = (reason: string): Refusal =>
      new Refusal('invalid-request', `Cannot make a claim link for order ${ref}: ${reason}`);
    const state = stateAt(order, now());
    if (state !== 'paid') throw cannot(`it is ${state}, and only paid orders can be claimed`);
    if (address === null) throw cannot('its buyer was erased; give it to an account instead');
    if (await store.isGiven(orderId)) throw cannot('it became a present, which its code opens');
    if (claimedAt !== null && account !== null) throw cannot(`${account} holds it already`);
    const mail = (await store.listOrderMails(orderId)).find(({ kind }) => kind === 'claim');
    const subject = { purpose: 'claim', orderId, address, outboxId: mail?.id ?? null } as const;
    const { row, link } = mintLink(subject, origin, now());
    const audit = describe('order.link', `order ${ref}`);
    await store.write('passLink', { link: row, mailId: mail?.id ?? null, audit });
    return link;
  };
}
