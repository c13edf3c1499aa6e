import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import type { ScopedItem } from '../../../access/token-scope.ts';
import { itemKey } from '../../../item/item.ts';
import { Refusal } from '../../../refusal.ts';
import { type CreatedToken, createToken, readTerm } from '../../../service/keys.ts';
import { readForm } from '../../form.ts';
import { redirect } from '../../origin.ts';
import { handleForm } from '../frame/handle-form.ts';
import { sendPage } from '../frame/page.tsx';
import type { RouteDeps } from '../frame/route-deps.ts';
import { CopyLine } from '../parts/copy-line.tsx';
import { ButtonLink } from '../parts/form.tsx';
import { PageHeading } from '../parts/heading.tsx';
import { When } from '../parts/when.tsx';
import { AgentSteps } from '../parts/agent-steps.tsx';
import { showLinks, type TypedLink } from './link-list.tsx';
import { LINKS } from '../parts/agent-steps.tsx';
import { describeItems, LinkWarning, refuseSentBefore } from './link-parts.tsx';
import { listTakeable } from '../../../service/holdings.ts';

/** `POST /dashboard/connect/create`: makes a link and shows it in the answer; the same form sent again makes none. */
export function linkCreate(deps: RouteDeps) {
  const { stall, identity } = deps;
  return new Elysia()
    .use(identity)
    .get(`${LINKS}/create`, () => redirect(LINKS), { memberGuard: true })
    .post(
      `${LINKS}/create`,
      async ({ request, member }) => {
        const form = await readForm(request);
        const typed = { name: form.text('name'), item: form.text('item'), expires: form.text('expires') };
        return handleForm(
          async () => {
            const term = readTerm(typed.expires);
            const items = await readItems(deps, member, typed.item);
            refuseSentBefore(deps.tokens.take(member.sessionId, form.text('once')));
            const { name } = typed;
            return sendNewLink(
              deps,
              member,
              await createToken(stall, 'itself', member, { name, items, reads: false, term }),
            );
          },
          (refused) => showLinks(deps, null, member, typed satisfies TypedLink, refused),
        );
      },
      { memberGuard: true, parse: 'none' },
    );
}

/** The item of the form, which must be one that the account holds; null is everything. */
async function readItems(
  { service }: RouteDeps,
  member: SessionPrincipal,
  chosen: string,
): Promise<readonly ScopedItem[] | null> {
  if (chosen === '') return null;
  const held = await listTakeable(service.stall, member);
  const found = held.find(({ manifest }) => `${manifest.kind} ${itemKey(manifest)}` === chosen)?.manifest;
  if (found !== undefined) return [{ kind: found.kind, itemKey: itemKey(found) }];
  throw new Refusal('not-found', 'Cannot make a link for this item: you hold it no longer; choose another');
}

/** No other page shows the link, and nothing keeps it. */
async function sendNewLink(
  { service, viewOf }: RouteDeps,
  member: SessionPrincipal,
  created: CreatedToken,
): Promise<Response> {
  const view = viewOf(member);
  const { name, secret, scope, expiresAt } = created;
  const link = `${view.origin}/i/${secret}`;
  const held = await listTakeable(service.stall, { ...member, kind: 'token', tokenId: created.id, scope });
  return sendPage(
    view,
    { title: 'Your new link', current: LINKS, headers: { 'Referrer-Policy': 'no-referrer' } },
    <>
      <PageHeading title="Your new link" lead={`“${name}” is ready. Copy it now: it is shown only once.`} />
      <section class="secret stack">
        <CopyLine text={link} label="Link" />
        <p>
          Opens: {describeItems(service, created)}. Expires: <When at={expiresAt} />.
        </p>
        <LinkWarning />
      </section>
      <section>
        <h2>Use it</h2>
        <AgentSteps place={{ origin: view.origin, link, slug: held[0]?.manifest.slug ?? 'SLUG' }} />
      </section>
      <ButtonLink href={LINKS} kind="quiet">
        All links
      </ButtonLink>
    </>,
  );
}
