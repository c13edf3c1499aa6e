import { listTakeable } from '../../../service/access.ts';
import { listPublished } from '../../../catalog/catalog.ts';
import { isFree } from '../../../item/item.ts';
import { ANONYMOUS, type Principal, type AgentPrincipal } from '../../../access/principal.ts';
import type { Http } from '../../http.ts';
import { Notice, pageCacheHeaders, sendPage } from '../frame/page.tsx';
import { ButtonLink, CopyLine } from '../parts/form.tsx';
import { AgentSteps, LINKS } from '../parts/buy.tsx';
import { LINK_WARNING } from '../../../item/connect.ts';
import { LINK_HEADERS } from '../../answer.ts';
import { ItemTitle } from '../parts/shelf.tsx';

/** The lines that connect each agent to the free items, and the link to the lines for owned items. */
export function showConnect({ stall, viewOf }: Http, visitor: Principal): Response {
  const view = viewOf(visitor);
  const free = listPublished(stall.catalog()).filter(({ manifest }) => isFree(manifest));
  const example = free.find(({ manifest }) => manifest.kind === 'skill') ?? free[0];
  const slug = example?.manifest.slug ?? 'SLUG';
  const isSigned = example?.manifest.signature != null;
  const place = { origin: view.origin, link: null, isFree: true, slug, isSigned };
  return sendPage(
    view,
    {
      title: 'Connect your agent',
      description: 'Lines to paste, so that an agent finds the books and skills of this stall.',
      canonical: '/connect',
      current: '/connect',
      lead: 'Lines to paste, one agent at a time, for the free items: none needs a key.',
      actions: <ButtonLink href={LINKS}>Connect what you own</ButtonLink>,
      headers: pageCacheHeaders(view),
    },
    <AgentSteps place={place} />,
  );
}

/** The items of a link, and the lines to paste. The page names no account. */
export function showLink({ stall, viewOf }: Http, asker: AgentPrincipal, token: string) {
  const items = listTakeable(stall, asker);
  const view = viewOf(ANONYMOUS);
  const link = `${view.origin}/i/${token}`;
  const reads = asker.kind === 'token' && asker.scope.may.includes('read');
  const slug = items[0]?.manifest.slug ?? 'SLUG';
  return sendPage(
    view,
    {
      title: 'A link for your agent',
      lead:
        items.length === 0
          ? 'This link opens nothing now: its account holds no item for it.'
          : `Agents that cannot send a key take ${reads ? 'and read ' : ''}these items by it.`,
      headers: LINK_HEADERS,
    },
    <>
      <ul>
        {items.map(({ manifest }) => (
          <li>
            <ItemTitle title={manifest.title} language={manifest.language} /> (<code>{manifest.slug}</code>)
          </li>
        ))}
      </ul>
      <Notice kind="warn">{LINK_WARNING}</Notice>
      {reads && (
        <CopyLine
          text={`${link}/mcp`}
          label="The address for claude.ai and other programs that connect to MCP servers by a link:"
        />
      )}
      <AgentSteps place={{ origin: view.origin, link, reads, slug }} />
    </>,
  );
}
