import { chosenLanguage } from '../platform/http/language.ts';
import { listHeld } from '../accounts/access.ts';
import { listPublished } from '../catalog/catalog.ts';
import { isFree } from '../catalog/item.rule.ts';
import { ANONYMOUS, type Principal, type AgentPrincipal } from '../platform/base/principal.ts';
import type { Http } from './stall.ts';
import { Notice, pageCacheHeaders, sendPage } from '../platform/site/page.tsx';
import { ButtonLink, CopyLine } from '../platform/site/form.tsx';
import { AgentSteps } from '../selling/buy.part.tsx';
import { LINK_HEADERS } from '../platform/http/answer.ts';
import { ItemTitle } from '../catalog/items.part.tsx';
import { ConnectorAddress } from '../accounts/connector.part.tsx';
import { AGENT_LINKS } from '../accounts/key.part.tsx';

export function showConnect({ stall, viewOf }: Http, visitor: Principal): Response {
  const view = viewOf(visitor);
  const { connect } = view.words.shop;
  const free = listPublished(stall.catalog()).filter(({ manifest }) => isFree(manifest));
  const example = free.find(({ manifest }) => manifest.kind === 'skill') ?? free[0];
  const slug = example?.manifest.slug ?? 'SLUG';
  const isSigned = example?.manifest.signature != null;
  const place = { origin: view.origin, link: null, isFree: true, slug, isSigned };
  return sendPage(
    view,
    {
      title: connect.title,
      description: connect.description,
      canonical: '/connect',
      current: '/connect',
      lead: (
        <>
          {connect.lead}{' '}
          {connect.keyFrom({ keys: <a href="/dashboard/api-keys">{view.words.library.keys.title}</a> })}
        </>
      ),
      actions: <ButtonLink href={AGENT_LINKS}>{connect.owned}</ButtonLink>,
      headers: pageCacheHeaders(view),
    },
    <>
      <ConnectorAddress origin={view.origin} words={view.words.assistants} />
      <AgentSteps place={place} />
    </>,
  );
}

/** Shows which items an install link opens, and how each agent uses it. The page does not say whose link it is. */
export function showLink({ stall, viewOf }: Http, request: Request, asker: AgentPrincipal, token: string) {
  const items = listHeld(stall, asker);
  const language = chosenLanguage(stall, request);
  const view = viewOf(language === null ? ANONYMOUS : { ...ANONYMOUS, language });
  const { connect } = view.words.shop;
  const link = `${view.origin}/i/${token}`;
  const reads = asker.kind === 'token' && asker.scope.may.includes('read');
  const slug = items[0]?.manifest.slug ?? 'SLUG';
  return sendPage(
    view,
    {
      title: connect.link,
      lead: items.length === 0 ? connect.linkEmpty : reads ? connect.linkReads : connect.linkTakes,
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
      <Notice kind="warn">{view.words.shop.steps.linkWarning}</Notice>
      {reads && <CopyLine text={`${link}/mcp`} label={connect.linkServer} />}
      <AgentSteps place={{ origin: view.origin, link, reads, slug }} />
    </>,
  );
}
