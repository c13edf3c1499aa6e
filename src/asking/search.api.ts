import type { AgentPrincipal } from '../platform/base/principal.ts';
import { unauthenticated } from '../platform/base/told.ts';
import { jsonAnswer } from '../platform/http/answer.ts';
import { readFields } from '../platform/http/shape.ts';
import type { Http } from './stall.ts';
import { describeFound, searchTexts, TEXT_SEARCH, USUAL_FOUND } from './text-search.ts';

const OF_SEARCH = { 'Cache-Control': 'private, no-store', Vary: 'Authorization' };

/** Answers `GET /api/search`. Never logs the words of the search. */
export async function sendTextSearch({ stall, budgets }: Http, request: Request, asker: AgentPrincipal) {
  const act = 'Cannot search';
  if (asker.kind === 'anonymous' && asker.complaint !== null) throw unauthenticated(act, asker.complaint);
  const given = new URL(request.url).searchParams;
  const limit = given.get('limit');
  const {
    q: words,
    item: slugs = [],
    limit: most = USUAL_FOUND,
  } = readFields(
    TEXT_SEARCH,
    {
      q: given.get('q') ?? undefined,
      item: given.getAll('item'),
      ...(limit === null ? {} : { limit: /^\d+$/.test(limit) ? Number(limit) : limit }),
    },
    act,
  );
  const search = { words, slugs, limit: most };
  const { found, searched } = await budgets.search(request, asker, () =>
    searchTexts(stall, asker, search, request.signal),
  );
  const results = found.map((one) => describeFound(stall, one, words));
  return jsonAnswer(request, { results, searched }, OF_SEARCH);
}
