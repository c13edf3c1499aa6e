import { readEmail } from '../platform/base/email-address.ts';
import { type Edition, listPublished, listShown } from '../catalog/catalog.ts';
import { isFree } from '../catalog/item.rule.ts';
import { bearerOf, curlLines } from '../catalog/connect.rule.ts';
import { DEMO } from '../words/payment-provider.ts';
import { addAccount, DEMO_OWNER } from '../accounts/account.ts';
import { addGrant } from '../accounts/grant.ts';
import { createKey } from '../accounts/key.ts';
import { findOrderByKey } from './order.ts';
import { takeDemoEvent } from './sale-event.ts';
import type { Records, Stall } from './stall.ts';
import { ToldRefusal } from '../platform/base/told.ts';
import { removeAccount } from './personal-data.ts';

const EMAIL = 'demo@bookstall.invalid';
const KEY_NAME = 'demo';

/**
 * Finds the item or bundle of this slug, to be sold in the demo; its price is in minor units. Refuses not-found if it is
 * free, has no price or is not on sale.
 */
export function findDemoGoods(stall: Stall, slug: string) {
  const catalog = stall.catalog();
  const edition = listShown(catalog).find(({ manifest }) => manifest.slug === slug);
  const goods = edition?.manifest ?? catalog.bundles.find((bundle) => bundle.slug === slug);
  if (goods === undefined || !goods.unitAmountCents)
    throw new ToldRefusal('not-found', (r) => r.account.notForSale({ slug: slug.slice(0, 100) }));
  const { title, unitAmountCents, currency } = goods;
  return { title, unitAmountCents, currency };
}

export async function buyInDemo(stall: Stall, slug: string, typed: string): Promise<string> {
  const { unitAmountCents: amount, currency } = findDemoGoods(stall, slug);
  const order = `demo_${crypto.randomUUID().replaceAll('-', '')}`;
  const sale = { order, product: slug, email: readEmail(typed), amount, currency };
  await takeDemoEvent(stall, { type: 'paid', at: stall.now(), ...sale });
  return order;
}

export async function refundInDemo(stall: Stall, id: string): Promise<void> {
  const { amount } = findOrderByKey(stall, DEMO, id);
  await takeDemoEvent(stall, { type: 'given-back', at: stall.now(), order: id, amount });
}

/**
 * Removes the data of an earlier demo, before the server listens: always the account of its owner; after a start without
 * --demo also its sales, the grants and accounts that came from these, and the account with its key.
 */
export async function endDemo(stall: Records, isDemo: boolean): Promise<void> {
  const { store } = stall;
  const isOver = !isDemo && store.hasDemoSales();
  const made = isOver ? store.listDemoAccounts() : [];
  for (const email of [DEMO_OWNER, ...(isDemo ? [] : [EMAIL]), ...made])
    if (store.findAccount(email) !== null) await removeAccount(stall, 'command', email);
  if (isOver) await store.write.endDemoSales();
}

/**
 * Grants the demo's account every paid item, makes it an API key that is valid for 24 hours, and revokes its earlier
 * keys. Returns `curl` commands to paste into a shell, one a line, which work in an empty directory.
 */
export async function prepareDemo(stall: Stall): Promise<readonly string[]> {
  const { store } = stall;
  const origin = stall.origin();
  const account = store.findAccount(EMAIL) ?? (await addAccount(stall, 'command', { email: EMAIL }));
  const published = listPublished(stall.catalog());
  const paid = published.filter(({ manifest }) => !isFree(manifest));
  for (const { manifest } of paid)
    await addGrant(stall, 'command', { email: EMAIL, slug: manifest.slug, source: 'demo' });
  const owner = { accountId: account.id, email: EMAIL };
  const { secret } = await createKey(stall, 'command', owner, {
    name: KEY_NAME,
    term: { days: 1 },
    write: 'renewKey',
  });
  const bearer = bearerOf(secret);
  const free = published.find(({ manifest }) => isFree(manifest));
  const bought = paid.find(({ manifest }) => manifest.kind === 'skill') ?? paid[0];
  const book = [...paid, ...published].find((edition) => edition.artefacts.index !== undefined);
  const lines = [
    ...(free === undefined ? [] : [curlLines.install(origin, '', free.manifest.slug)]),
    curlLines.library(origin, bearer),
    ...(bought === undefined ? [] : [curlLines.install(origin, bearer, bought.manifest.slug)]),
    ...(book === undefined ? [] : [curlLines.ask(origin, bearer, book.manifest.id, questionTo(book))]),
  ];
  // If the stall lacks a kind of item, the commands for that kind are replaced by one that lists all items.
  return lines.length < 4 ? [curlLines.items(origin), ...lines] : lines;
}

function questionTo({ manifest, chapters }: Edition): string {
  const topic = chapters.findLast(({ title }) => title !== null)?.title ?? manifest.title;
  return `What about ${topic}?`;
}
