import { type Edition, listPublished } from '../catalog/catalog.ts';
import { isFree } from '../item/item.ts';
import { bearerOf, curlLines } from '../item/connect.ts';
import { addAccount } from './accounts.ts';
import { addGrant } from './grants.ts';
import { createKey } from './keys.ts';
import type { Stall } from './stall.ts';

const EMAIL = 'demo@bookstall.invalid';
const KEY_NAME = 'demo';

/**
 * Makes the demo account's key for 24 hours, revokes the earlier ones, grants it every paid item, and returns lines to
 * paste into a shell: each one physical line of `curl` that works in an empty directory, in order.
 */
export async function prepareDemo(stall: Stall): Promise<readonly string[]> {
  const { store } = stall;
  const origin = stall.origin();
  const account = (await store.findAccount(EMAIL)) ?? (await addAccount(stall, 'command', EMAIL));
  const published = listPublished(stall.catalog());
  const paid = published.filter(({ manifest }) => !isFree(manifest));
  for (const { manifest } of paid)
    await addGrant(stall, 'command', { email: EMAIL, slug: manifest.slug, source: 'demo' });
  const owner = { accountId: account.id, email: EMAIL };
  const { secret } = await createKey(stall, 'command', owner, KEY_NAME, { days: 1 }, 'renewKey');
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
  // Without items of each kind there are fewer commands to show.
  return lines.length < 4 ? [curlLines.items(origin), ...lines] : lines;
}

/** A question the book is likely to answer: about one of its chapters. */
function questionTo({ manifest, chapters }: Edition): string {
  const topic = chapters.findLast(({ title }) => title !== null)?.title ?? manifest.title;
  return `What about ${topic}?`;
}
