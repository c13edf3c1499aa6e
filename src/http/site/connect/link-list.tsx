import { Elysia } from 'elysia';
import { isUsable } from '../../../access/key.ts';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { itemKey } from '../../../item/item.ts';
import type { Edition } from '../../../catalog/edition.ts';
import type { Service } from '../../../service/service.ts';
import type { StoredToken } from '../../../store/tables/keys.ts';
import { readFlash } from '../frame/flash-message.ts';
import type { Refused } from '../frame/handle-form.ts';
import { sendPage } from '../frame/page.tsx';
import type { RouteDeps } from '../frame/route-deps.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Empty } from '../parts/empty.tsx';
import { Field, Select } from '../parts/field.tsx';
import { Button, ButtonLink, Form } from '../parts/form.tsx';
import { PageHeading } from '../parts/heading.tsx';
import { Notice } from '../parts/notice.tsx';
import { When } from '../parts/when.tsx';
import { AgentSteps } from '../parts/agent-steps.tsx';
import { LINKS } from '../parts/agent-steps.tsx';
import { describeItems, LinkWarning } from './link-parts.tsx';
import { listTakeable } from '../../../service/holdings.ts';

const TERMS = [
  { value: '30', label: '30 days' },
  { value: '365', label: '1 year' },
  { value: 'never', label: 'Never' },
];

/** The typed values of a new link's form; `item` is '' for everything, else a kind and a key. */
export type TypedLink = { readonly name: string; readonly item: string; readonly expires: string };

const BLANK: TypedLink = { name: '', item: '', expires: '365' };

/** `GET /dashboard/connect`: the lines for each agent, the account's links, and the form that makes one. */
export function linkList(deps: RouteDeps) {
  return new Elysia()
    .use(deps.identity)
    .get(LINKS, ({ query, member }) => showLinks(deps, readFlash(query), member), {
      memberGuard: true,
    });
}

/** Sends the page; after a refused form, with the reason and the typed values. */
export async function showLinks(
  { stall, service, tokens, viewOf }: RouteDeps,
  said: string | null,
  member: SessionPrincipal,
  typed: TypedLink = BLANK,
  refused: Refused | null = null,
): Promise<Response> {
  const view = viewOf(member);
  const held = await listTakeable(service.stall, member);
  const now = stall.now();
  const links = (await stall.store.listKeys('token', member.accountId)).filter((link) => isUsable(link, now));
  return sendPage(
    view,
    { title: 'Connect your agent', current: LINKS, ...refused },
    <>
      <PageHeading
        title="Connect your agent"
        lead="Most agents send your key, and no line below holds it. For one that cannot, make a link."
      />
      {said !== null && <Notice kind="good">{said}</Notice>}
      {refused !== null && <Notice kind="bad">{refused.sentence}</Notice>}
      <AgentSteps place={{ origin: view.origin, link: null, slug: held[0]?.manifest.slug ?? 'SLUG' }} />
      <section id="links">
        <h2>Your links</h2>
        <DataTable
          caption="Active links"
          columns={['Name', 'Link', 'Items', 'Last used', 'Expires', '']}
          rows={links.toReversed().map((link) => ({ key: String(link.id), cells: cellsOf(service, link) }))}
          empty={<Empty>No links yet. A link lets an agent that cannot send a key take what you own.</Empty>}
        />
        {links.length > 0 && <LinkWarning />}
      </section>
      <NewLink held={held} typed={typed} token={tokens.issue(member.sessionId)} />
    </>,
  );
}

function cellsOf(service: Service, link: StoredToken) {
  const { id, name, prefix, lastUsedAt, expiresAt } = link;
  return [
    name,
    <code class="brief">{prefix}…</code>,
    describeItems(service, link),
    <When at={lastUsedAt} withTime />,
    <When at={expiresAt} />,
    <div class="actions">
      <ButtonLink href={`${LINKS}/${id}/revoke`} kind="danger">
        Revoke<span class="unseen"> {name}</span>
      </ButtonLink>
    </div>,
  ];
}

function NewLink({ held, typed, token }: { held: readonly Edition[]; typed: TypedLink; token: string }) {
  const items = held.map(({ manifest }) => ({
    value: `${manifest.kind} ${itemKey(manifest)}`,
    label: manifest.title,
  }));
  return (
    <section>
      <h2>Make a link</h2>
      <Form action={`${LINKS}/create`} label="Make a link">
        <input type="hidden" name="once" value={token} />
        <Field
          label="Name"
          name="name"
          value={typed.name}
          hint="Where it will be used, such as laptop or project"
          autocomplete="off"
          maxLength={80}
          required
        />
        <Select
          label="Items"
          name="item"
          options={[{ value: '', label: 'Everything you own' }, ...items]}
          value={typed.item}
        />
        <Select label="Expires" name="expires" options={TERMS} value={typed.expires} />
        <Button>Make link</Button>
      </Form>
    </section>
  );
}
