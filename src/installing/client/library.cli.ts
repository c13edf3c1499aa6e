import { redeemCode } from './sign-in.ts';
import { plain } from '../../platform/cli/terminal-text.ts';
import { fetchCatalog, fetchHoldings, fetchLibrary, type ItemSummary } from './stall-calls.ts';
import type { StallClient } from './stall-client.ts';
import { type Command } from '../../platform/cli/command.ts';
import { readerCommand } from './reader-command.ts';
import { formatMoney } from '../../catalog/price.rule.ts';

export const libraryCommand: Command = readerCommand({
  name: 'library',
  summary: 'List the paid items this account holds',
  about: 'Also those that are no longer sold.',
  flags: { '--all': 'everything the stall has' },
  examples: ['bookstall library --all'],
  async run(context, input, terminal) {
    const stall = await context.stall();
    const isAll = input.has('all');
    if (!isAll) stall.requireKey();
    const items = isAll ? await fetchCatalog(stall) : await fetchOwn(stall);
    const empty = isAll
      ? 'Nothing is on sale yet'
      : 'No paid items yet. "bookstall library --all" shows what the stall has; free items need no grant';
    terminal.list(
      items.map((item) => describe(item, isAll)),
      empty,
    );
  },
});

export const redeemCommand: Command = readerCommand({
  name: 'redeem',
  synopsis: 'CODE',
  summary: 'Redeem a code: its items are yours',
  examples: ['bookstall redeem svg_ABCDE-FGHJK-LMNPQ-RSTUV-WXYZ2'],
  async run(context, input, terminal) {
    const stall = await context.stall();
    stall.requireKey();
    const items = await redeemCode(stall, input.word);
    const names = items.map(plain).join(' ');
    terminal.result({ items }, `Yours: ${names}. Install with "${context.program} install ${names}"`);
  },
});

async function fetchOwn(stall: StallClient): Promise<readonly ItemSummary[]> {
  const { items } = await fetchLibrary(stall);
  const holdings = await fetchHoldings(stall);
  const own = items.map((item) => holdings.find(({ slug }) => slug === item.slug) ?? item);
  return [...own, ...holdings.filter((one) => one.status === 'archived' && !own.includes(one))];
}

function describe(item: ItemSummary, isOffer: boolean) {
  const { kind, slug, id, version, title, publisher, unitAmountCents, currency } = item;
  const price = unitAmountCents === 0 ? 'free' : formatMoney(unitAmountCents, currency);
  const [status, granted] = [item.status ?? 'published', item.grantedAt?.slice(0, 10) ?? null];
  return { kind, slug, id, version, ...(isOffer ? { price } : { status, granted }), publisher, title };
}
