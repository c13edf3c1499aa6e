import { KEY_DAYS, LONGEST_KEY_NAME, isUsable } from './key.rule.ts';
import { listHeld } from './access.ts';
import type { ScopedItem, SessionPrincipal } from '../platform/base/principal.ts';
import { bearerVariable, curlLines, installLine } from '../catalog/connect.rule.ts';
import { itemKey, type Manifest } from '../catalog/item.rule.ts';
import { keyVariable } from '../catalog/marketplace.rule.ts';
import { nameItem } from './items.ts';
import {
  type CreatedKey,
  type CreatedToken,
  createKey,
  createToken,
  findKey,
  readTerm,
  revokeKey,
} from './key.ts';
import type { Stall, Http } from './stall.ts';
import { ToldRefusal } from '../platform/base/told.ts';
import type { Words } from '../words/words.ts';
import type { StoredKey, StoredToken } from './key.sql.ts';
import { readForm } from '../platform/http/body.ts';
import { handleForm, refuseSentBefore, type Refused } from '../platform/site/handle-form.ts';
import { inAccount, Notice, sendPage, type View } from '../platform/site/page.tsx';
import { AgentSteps } from '../selling/buy.part.tsx';
import { DataTable, Empty, When } from '../platform/site/data-table.tsx';
import {
  Button,
  DangerLink,
  CopyLine,
  Field,
  Form,
  type Options,
  QuietLink,
  Select,
} from '../platform/site/form.tsx';
import { useWords } from '../platform/site/words.tsx';
import { ConnectFirst } from './connector.part.tsx';
import { AGENT_LINKS, keyColumns, KEYS, keyStops } from './key.part.tsx';
import { OF_OWN_ACCOUNT, type ActRoutes, actRoutes } from '../platform/site/act.tsx';

const TERMS = ['30', '90', '365', 'never'] as const;
const LINK_TERMS = ['30', '365', 'never'] as const;

const termOptions = (terms: typeof TERMS | typeof LINK_TERMS, { library }: Words): Options =>
  terms.map((term) => [term, library.keys.terms[term]]);

type Typed = { readonly name: string; readonly expires: string; readonly item: string };

/** The reader who sees a page of keys or links. After a form was sent, also its result and what was typed. */
type Shown = {
  readonly member: SessionPrincipal;
  readonly said: string | null;
  readonly typed?: Typed;
  readonly refused?: Refused | null;
};

const BLANK: Typed = { name: '', expires: String(KEY_DAYS), item: '' };

export function showKeys(
  { stall, tokens, viewOf }: Http,
  { said, member, typed = BLANK, refused = null }: Shown,
): Response {
  const keys = stall.store.listKeys('key', member.accountId).toReversed();
  const now = stall.now();
  const [live, ended] = [keys.filter((key) => isUsable(key, now)), keys.filter((key) => !isUsable(key, now))];
  const view = viewOf(member);
  const { keys: words } = view.words.library;
  return sendPage(
    view,
    {
      title: words.title,
      ...inAccount(view.words),
      said,
      refused,
      lead: live.length > 0 ? words.lead : undefined,
    },
    <>
      <DataTable
        caption={words.active}
        columns={{
          ...keyColumns(view.words),
          '': ({ id, name }: StoredKey) => (
            <DangerLink href={`${KEYS}/${id}/revoke`}>
              {words.revoke}
              <span class="unseen"> {name}</span>
            </DangerLink>
          ),
        }}
        rows={live}
        empty={<Empty>{words.none}</Empty>}
      />
      <section>
        <h2>{words.create}</h2>
        <Form action={`${KEYS}/create`}>
          <input type="hidden" name="once" value={tokens.issue(member.sessionId)} />
          <NameField value={typed.name} hint={words.where} />
          <Select
            label={words.term}
            name="expires"
            options={termOptions(TERMS, view.words)}
            value={typed.expires}
          />
          <Button>{words.createIt}</Button>
        </Form>
      </section>
      {ended.length > 0 && (
        <details>
          <summary>{words.ended({ count: ended.length })}</summary>
          <DataTable
            caption={words.endedCaption}
            columns={{
              ...keyColumns(view.words),
              [words.revoked]: ({ revokedAt }: StoredKey) => <When at={revokedAt} never={words.expired} />,
            }}
            rows={ended}
          />
        </details>
      )}
    </>,
  );
}

const NameField = ({ value, hint }: { value: string; hint: string }) => (
  <Field
    label={useWords().library.keys.name}
    name="name"
    value={value}
    hint={hint}
    autocomplete="off"
    maxLength={LONGEST_KEY_NAME}
    required
  />
);

/** Makes a key, and shows it in the answer. The same form sent again makes no second key. */
export async function makeKey(http: Http, request: Request, member: SessionPrincipal): Promise<Response> {
  const form = await readForm(request);
  const typed = form.trimmed('name', 'expires', 'item');
  return handleForm(
    async () => {
      const term = readTerm(typed.expires);
      refuseSentBefore(http.tokens.take(member.sessionId, form.text('once')), 'key');
      const slug = form.text('slug');
      const item = listHeld(http.stall, member).find(({ manifest }) => manifest.slug === slug);
      const created = await createKey(http.stall, 'itself', member, { name: typed.name, term });
      return sendNewKey(http.viewOf(member), created, item?.manifest ?? null);
    },
    (refused) => showKeys(http, { said: null, member, typed, refused }),
  );
}

/**
 * Shows the new key and, if the reader has just bought an item, the command that installs it. The key is shown nowhere
 * else, and the stall does not store it.
 */
function sendNewKey(
  view: View,
  { secret, name, expiresAt }: CreatedKey,
  bought: Pick<Manifest, 'slug' | 'title'> | null,
): Response {
  const { origin } = view;
  const { keys: words } = view.words.library;
  const linkTo = (href: string) => (text: string) => <a href={href}>{text}</a>;
  const lines = {
    [words.inShell]: `export ${keyVariable(origin)}=${secret}`,
    [words.withProgram]: `bookstall login --url ${origin}`,
    [words.check]: curlLines.library(origin, bearerVariable(origin)),
    ...(bought === null
      ? {}
      : { [words.install({ title: bought.title })]: installLine(origin, bought.slug, 'claude') }),
  };
  return sendPage(
    view,
    { title: words.made, ...inAccount(view.words), lead: words.ready({ name }) },
    <>
      <section class="secret stack">
        <CopyLine text={secret} label={words.key} />
        <p>{words.keep({ until: <When at={expiresAt} never={words.unlimited} /> })}</p>
      </section>
      <section>
        <h2>{words.use}</h2>
        {Object.entries(lines).map(([label, text]) => (
          <CopyLine text={text} label={label} />
        ))}
      </section>
      <p>{words.others({ lines: linkTo(AGENT_LINKS), all: linkTo(KEYS) })}</p>
    </>,
  );
}

export function showLinks(
  { stall, tokens, viewOf }: Http,
  { said, member, typed = { ...BLANK, expires: '365' }, refused = null }: Shown,
): Response {
  const view = viewOf(member);
  const held = listHeld(stall, member);
  const items = held.map(({ manifest }) => [idOf(manifest), manifest.title] as const);
  const now = stall.now();
  const links = stall.store.listKeys('token', member.accountId).filter((link) => isUsable(link, now));
  const { keys: common, links: words } = view.words.library;
  return sendPage(
    view,
    { title: words.title, ...inAccount(view.words), said, refused, lead: words.lead },
    <>
      <ConnectFirst origin={view.origin} words={view.words.assistants} />
      <AgentSteps place={{ origin: view.origin, link: null, slug: held[0]?.manifest.slug ?? 'SLUG' }} />
      <section id="links">
        <h2>{words.own}</h2>
        <DataTable
          caption={words.active}
          columns={{
            [common.name]: ({ name }) => name,
            [words.link]: ({ prefix }) => <code class="brief">{prefix}…</code>,
            [words.items]: (link) => describeItems(stall, link, words),
            [common.used]: ({ lastUsedAt }) => <When at={lastUsedAt} never={common.unused} withTime />,
            [common.expires]: ({ expiresAt }) => <When at={expiresAt} never={common.unlimited} />,
            '': ({ id, name }) => (
              <div class="actions">
                <DangerLink href={`${AGENT_LINKS}/${id}/revoke`}>
                  {common.revoke}
                  <span class="unseen"> {name}</span>
                </DangerLink>
              </div>
            ),
          }}
          rows={links.toReversed()}
          empty={<Empty>{words.none}</Empty>}
        />
        {links.length > 0 && <LinkWarning />}
      </section>
      <section>
        <h2>{words.make}</h2>
        <Form action={`${AGENT_LINKS}/create`} label={words.make}>
          <input type="hidden" name="once" value={tokens.issue(member.sessionId)} />
          <NameField value={typed.name} hint={words.where} />
          <Select label={words.items} name="item" any={words.everything} options={items} value={typed.item} />
          <Select
            label={common.term}
            name="expires"
            options={termOptions(LINK_TERMS, view.words)}
            value={typed.expires}
          />
          <Button>{words.makeIt}</Button>
        </Form>
      </section>
    </>,
  );
}

const idOf = (manifest: Manifest): string => `${manifest.kind} ${itemKey(manifest)}`;

export async function makeLink(http: Http, request: Request, member: SessionPrincipal): Promise<Response> {
  const { stall, tokens } = http;
  const form = await readForm(request);
  const typed = form.trimmed('name', 'expires', 'item');
  return handleForm(
    async () => {
      const term = readTerm(typed.expires);
      const items = readItems(http, member, typed.item);
      refuseSentBefore(tokens.take(member.sessionId, form.text('once')), 'token');
      const { name } = typed;
      const created = await createToken(stall, 'itself', member, { name, items, reads: false, term });
      return sendNewLink(http, member, created);
    },
    (refused) => showLinks(http, { said: null, member, typed, refused }),
  );
}

/**
 * Reads the item that was chosen in the form, as a list of one; null for all items. Refuses an item that the account does
 * not have.
 */
function readItems({ stall }: Http, member: SessionPrincipal, chosen: string): readonly ScopedItem[] | null {
  if (chosen === '') return null;
  const held = listHeld(stall, member);
  const found = held.find(({ manifest }) => idOf(manifest) === chosen)?.manifest;
  if (found !== undefined) return [{ kind: found.kind, itemKey: itemKey(found) }];
  throw new ToldRefusal('not-found', (r) => r.library.notHeld);
}

function sendNewLink({ stall, viewOf }: Http, member: SessionPrincipal, created: CreatedToken) {
  const view = viewOf(member);
  const { name, secret, scope, expiresAt } = created;
  const link = `${view.origin}/i/${secret}`;
  const held = listHeld(stall, { ...member, kind: 'token', tokenId: created.id, scope });
  const { keys: common, links: words } = view.words.library;
  return sendPage(
    view,
    {
      title: words.made,
      ...inAccount(view.words),
      lead: words.ready({ name }),
      headers: { 'Referrer-Policy': 'no-referrer' },
    },
    <>
      <section class="secret stack">
        <CopyLine text={link} label={words.link} />
        <p>
          {words.opens({
            items: describeItems(stall, created, words),
            until: <When at={expiresAt} never={common.unlimited} />,
          })}
        </p>
        <LinkWarning />
      </section>
      <section>
        <h2>{words.use}</h2>
        <AgentSteps place={{ origin: view.origin, link, slug: held[0]?.manifest.slug ?? 'SLUG' }} />
      </section>
      <QuietLink href={AGENT_LINKS}>{words.all}</QuietLink>
    </>,
  );
}

function LinkWarning() {
  const { shop, library } = useWords();
  return (
    <Notice kind="warn">
      {shop.steps.linkWarning} <a href={`${AGENT_LINKS}#links`}>{library.links.revokeHere}</a>
    </Notice>
  );
}

function describeItems(
  stall: Stall,
  { scope }: Pick<StoredToken, 'scope'>,
  { everything }: Words['library']['links'],
): string {
  if (scope.items === null) return everything;
  return scope.items.map(({ kind, itemKey }) => nameItem(stall, kind, itemKey)?.title ?? itemKey).join(', ');
}

export const KEY_ACTS: readonly ActRoutes<Http>[] = [
  actRoutes({
    ...OF_OWN_ACCOUNT,
    path: `${KEYS}/:id/revoke`,
    find: ({ http, who, params }) => findKey(http.stall, 'key', params['id'] ?? '', who.accountId),
    title: ({ name }, { library }) => library.revoking.title({ name }),
    stops: (key, words) => keyStops(key, words),
    button: ({ library }) => library.revoking.revokeKey,
    act: (key, { http }) => revokeKey(http.stall, 'itself', 'key', key),
    back: () => KEYS,
    said: 'key-revoked',
  }),
  actRoutes({
    ...OF_OWN_ACCOUNT,
    path: `${AGENT_LINKS}/:id/revoke`,
    find: ({ http, who, params }) => findKey(http.stall, 'token', params['id'] ?? '', who.accountId),
    title: ({ name }, { library }) => library.revoking.title({ name }),
    stops: ({ prefix }, { library }) => library.revoking.link({ prefix: <code>{prefix}…</code> }),
    button: ({ library }) => library.revoking.revokeLink,
    act: (link, { http }) => revokeKey(http.stall, 'itself', 'token', link),
    back: () => AGENT_LINKS,
    said: 'agent-link-revoked',
  }),
];
