import { ANONYMOUS, type TokenPrincipal } from '../../../access/principal.ts';
import { LINK_WARNING } from '../../../item/connect.ts';
import { LINK_HEADERS } from '../../link-headers.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { sendPage } from '../frame/page.tsx';
import { CopyLine } from '../parts/copy-line.tsx';
import { PageHeading } from '../parts/heading.tsx';
import { ItemTitle } from '../parts/item-title.tsx';
import { Notice } from '../parts/notice.tsx';
import { AgentSteps } from './agent-steps.tsx';
import { listTakeable } from '../../../service/holdings.ts';

/** What a link opens, and the lines to paste. It names no account. */
export async function showLink(
  { stall, viewOf }: RouteDeps,
  asker: TokenPrincipal,
  token: string,
): Promise<Response> {
  const items = await listTakeable(stall, asker);
  const view = viewOf(ANONYMOUS);
  const link = `${view.origin}/i/${token}`;
  const reads = asker.scope.may.includes('read');
  const slug = items[0]?.manifest.slug ?? 'SLUG';
  return sendPage(
    view,
    { title: 'A link for your agent', headers: LINK_HEADERS },
    <>
      <PageHeading
        title="A link for your agent"
        lead={
          items.length === 0
            ? 'This link opens nothing now: its account holds no item for it.'
            : `Agents that cannot send a key take ${reads ? 'and read ' : ''}these items by it.`
        }
      />
      <ul>
        {items.map(({ manifest }) => (
          <li key={manifest.slug}>
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
