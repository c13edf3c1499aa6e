import { isUsable } from '../../../access/key.ts';
import type { ScopedItem, SessionPrincipal } from '../../../access/principal.ts';
import { itemKey } from '../../../item/item.ts';
import type { Edition } from '../../../catalog/catalog.ts';
import type { Stall } from '../../../service/stall.ts';
import type { StoredToken } from '../../../store/tables/keys.ts';
import { handleForm, type Refused, refuseSentBefore } from '../frame/handle-form.ts';
import { Notice, PageHeading, sendPage } from '../frame/page.tsx';
import type { Http } from '../../http.ts';
import { DataTable, Empty, When } from '../parts/data-table.tsx';
import { Button, ButtonLink, CopyLine, Field, Form, Select } from '../parts/form.tsx';
import { AgentSteps, LINKS } from '../parts/buy.tsx';
import { listTakeable } from '../../../service/holdings.ts';
import { Refusal } from '../../../refusal.ts';
import { type CreatedToken, createToken, readTerm } from '../../../service/keys.ts';
import { readForm } from '../../body.ts';
import { LINK_WARNING } from '../../../item/connect.ts';
import { nameItem } from '../../../service/items.ts';

const TERMS = [
  { value: '30', label: '30 days' },
  { value: '365', label: '1 year' },
  { value: 'never', label: 'Never' },
];

/** The typed values of a new link's form; `item` is '' for everything, else a kind and a key. */
type TypedLink = { readonly name: string; readonly item: string; readonly expires: string };

const BLANK: TypedLink = { name: '', item: '', expires: '365' };

/** Sends the lines for each agent, the account's links, and the form that makes one; after a refused form, with the reason and the typed values. */
export async function showLinks(
  { stall, tokens, viewOf }: Http,
  said: string | null,
  member: SessionPrincipal,
  typed: TypedLink = BLANK,
  refused: Refused | null = null,
): Promise<Response> {
  const view = viewOf(member);
  const held = await listTakeable(stall, member);
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
          rows={links.toReversed().map((link) => ({ key: String(link.id), cells: cellsOf(stall, link) }))}
          empty={<Empty>No links yet. A link lets an agent that cannot send a key take what you own.</Empty>}
        />
        {links.length > 0 && <LinkWarning />}
      </section>
      <NewLink held={held} typed={typed} token={tokens.issue(member.sessionId)} />
    </>,
  );
}

function cellsOf(stall: Stall, link: StoredToken) {
  const { id, name, prefix, lastUsedAt, expiresAt } = link;
  return [
    name,
    <code class="brief">{prefix}…</code>,
    describeItems(stall, link),
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

/** Makes a link and shows it in the answer; the same form sent again makes none. */
export async function makeLink(http: Http, request: Request, member: SessionPrincipal): Promise<Response> {
  const { stall, tokens } = http;
  const form = await readForm(request);
  const typed = { name: form.text('name'), item: form.text('item'), expires: form.text('expires') };
  return handleForm(
    async () => {
      const term = readTerm(typed.expires);
      const items = await readItems(http, member, typed.item);
      refuseSentBefore(tokens.take(member.sessionId, form.text('once')), 'link', 'made');
      const { name } = typed;
      return sendNewLink(
        http,
        member,
        await createToken(stall, 'itself', member, { name, items, reads: false, term }),
      );
    },
    (refused) => showLinks(http, null, member, typed, refused),
  );
}

/** The item of the form, which must be one that the account holds; null is everything. */
async function readItems(
  { stall }: Http,
  member: SessionPrincipal,
  chosen: string,
): Promise<readonly ScopedItem[] | null> {
  if (chosen === '') return null;
  const held = await listTakeable(stall, member);
  const found = held.find(({ manifest }) => `${manifest.kind} ${itemKey(manifest)}` === chosen)?.manifest;
  if (found !== undefined) return [{ kind: found.kind, itemKey: itemKey(found) }];
  throw new Refusal('not-found', 'Cannot make a link for this item: you hold it no longer; choose another');
}

/** No other page shows the link, and nothing keeps it. */
async function sendNewLink(
  { stall, viewOf }: Http,
  member: SessionPrincipal,
  created: CreatedToken,
): Promise<Response> {
  const view = viewOf(member);
  const { name, secret, scope, expiresAt } = created;
  const link = `${view.origin}/i/${secret}`;
  const held = await listTakeable(stall, { ...member, kind: 'token', tokenId: created.id, scope });
  return sendPage(
    view,
    { title: 'Your new link', current: LINKS, headers: { 'Referrer-Policy': 'no-referrer' } },
    <>
      <PageHeading title="Your new link" lead={`“${name}” is ready. Copy it now: it is shown only once.`} />
      <section class="secret stack">
        <CopyLine text={link} label="Link" />
        <p>
          Opens: {describeItems(stall, created)}. Expires: <When at={expiresAt} />.
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

/** The sentences beside each link. */
function LinkWarning() {
  return (
    <Notice kind="warn">
      {LINK_WARNING} <a href={`${LINKS}#links`}>Revoke it here.</a>
    </Notice>
  );
}

/** The items of a link in words. */
function describeItems(stall: Stall, { scope }: Pick<StoredToken, 'scope'>): string {
  if (scope.items === null) return 'Everything you own';
  return scope.items.map(({ kind, itemKey }) => nameItem(stall, kind, itemKey)?.title ?? itemKey).join(', ');
}
