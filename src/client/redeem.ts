import { isSlug } from '../item/path.ts';
import { unexpectedAnswer } from './failure.ts';
import { readText, type StallClient } from './stall-client.ts';

const MAX_BYTES = 1024 * 1024;

/** Redeems a code for the key's account; the slugs of its items. */
export async function redeemCode(stall: StallClient, code: string): Promise<readonly string[]> {
  const response = await stall.send('/api/redeem', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const items = itemsOf(await readText(response, MAX_BYTES));
  if (items === null) throw unexpectedAnswer(`Cannot redeem the code at ${stall.url}`);
  return items;
}

function itemsOf(text: string): readonly string[] | null {
  try {
    const { items } = JSON.parse(text) as { readonly items?: unknown };
    const isGood = Array.isArray(items) && items.every((slug) => typeof slug === 'string' && isSlug(slug));
    return isGood ? (items as readonly string[]) : null;
  } catch {
    return null;
  }
}
