import { listPublished } from '../../../catalog/catalog.ts';
import { isFree } from '../../../item/item.ts';
import type { Principal } from '../../../access/principal.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { pageCacheHeaders, sendPage } from '../frame/page.tsx';
import { ButtonLink } from '../parts/form.tsx';
import { PageHeading } from '../parts/heading.tsx';
import { AgentSteps } from './agent-steps.tsx';
import { LINKS } from './link-parts.tsx';

/** The lines that connect each agent to the free items, and where those for what one owns are. */
export function showConnect({ stall, viewOf }: RouteDeps, visitor: Principal): Response {
  const view = viewOf(visitor);
  const free = listPublished(stall.catalog()).filter(({ manifest }) => isFree(manifest));
  const example = free.find(({ manifest }) => manifest.kind === 'skill') ?? free[0];
  const slug = example?.manifest.slug ?? 'SLUG';
  const place = { origin: view.origin, link: null, isFree: true, slug };
  return sendPage(
    view,
    {
      title: 'Connect your agent',
      description: 'Lines to paste, so that an agent finds the books and skills of this stall.',
      canonical: '/connect',
      current: '/connect',
      headers: pageCacheHeaders(view),
    },
    <>
      <PageHeading
        title="Connect your agent"
        lead="Lines to paste, one agent at a time, for the free items: none needs a key."
      >
        <ButtonLink href={LINKS}>Connect what you own</ButtonLink>
      </PageHeading>
      <AgentSteps place={place} />
    </>,
  );
}
