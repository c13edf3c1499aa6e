import { listTakeable } from '../../../service/access.ts';
import { isUsable } from '../../../access/key.ts';
import type { ScopedItem, SessionPrincipal } from '../../../access/principal.ts';
import { BEARER_VARIABLE, curlLines, installLine, LINK_WARNING } from '../../../item/connect.ts';
import { itemKey, type Manifest } from '../../../item/item.ts';
import { keyVariable } from '../../../item/marketplace.ts';
import { Refusal } from '../../../refusal.ts';
import { nameItem } from '../../../service/items.ts';
import {
  type CreatedKey,
  type CreatedToken,
  createKey,
  createToken,
  readTerm,
} from '../../../service/keys.ts';
import type { Stall } from '../../../service/stall.ts';
import type { StoredKey, StoredToken } from '../../../store/tables/keys.ts';
import { readForm } from '../../body.ts';
import type { Http } from '../../http.ts';
import { handleForm, refuseSentBefore, type Refused } from '../frame/handle-form.ts';
import { IN_ACCOUNT, Notice, sendPage, type View } from '../frame/page.tsx';
import { AgentSteps, LINKS } from '../parts/buy.tsx';
import { type Columns, DataTable, Empty, When } from '../parts/data-table.tsx';
import {
  Button,
  DangerLink,
  CopyLine,
  Field,
  Form,
  type Options,
  QuietLink,
  Select,
} from '../parts/form.tsx';

const LINK_TERMS: Options = [
  ['30', '30 days'],
  ['365', '1 year'],
  ['never', 'Never'],
];
const TERMS = LINK_TERMS.toSpliced(1, 0, ['90', '90 days']);

/** The typed values of the form of a new key or link; a link's `item` is '' for everything, else a kind and a key. */
type Typed = { readonly name: string; readonly expires: string; readonly item: string };

const BLANK: Typed = { name: '', expires: '90', item: '' };

/** Sends the account's keys and the form that creates one; after a refused form, with the reason and the typed values. */
export function showKeys(
  { stall, tokens, viewOf }: Http,
  said: string | null,
  member: SessionPrincipal,
  typed: Typed = BLANK,
  refused: Refused | null = null,
): Response {
  const keys = stall.store.listKeys('key', member.accountId).toReversed();
  const now = stall.now();
  const [live, ended] = [keys.filter((key) => isUsable(key, now)), keys.filter((key) => !isUsable(key, now))];
  return sendPage(
    viewOf(member),
    {
      title: 'Keys',
      ...IN_ACCOUNT,
      said,
      refused,
      lead: live.length > 0 ? 'A key lets your agent read what you own and ask it questions.' : undefined,
    },
    <>
      <DataTable
        caption="Active keys"
        columns={{
          ...KEY_COLUMNS,
          '': ({ id, name }: StoredKey) => (
            <DangerLink href={`${KEYS}/${id}/revoke`}>
              Revoke<span class="unseen"> {name}</span>
            </DangerLink>
          ),
        }}
        rows={live}
        empty={<Empty>No keys yet. A key lets your agent read what you own.</Empty>}
      />
      <section>
        <h2>Create a key</h2>
        <Form action={`${KEYS}/create`}>
          <input type="hidden" name="once" value={tokens.issue(member.sessionId)} />
          <NameField value={typed.name} place="build server" />
          <Select label="Expires" name="expires" options={TERMS} value={typed.expires} />
          <Button>Create key</Button>
        </Form>
      </section>
      {ended.length > 0 && (
        <details>
          <summary>Revoked and expired keys ({ended.length})</summary>
          <DataTable
            caption="Keys that no longer work"
            columns={{
              ...KEY_COLUMNS,
              Revoked: ({ revokedAt }: StoredKey) => <When at={revokedAt} never="expired" />,
            }}
            rows={ended}
          />
        </details>
      )}
    </>,
  );
}

/** The columns shared by all lists of keys. */
export const KEY_COLUMNS: Columns<StoredKey> = {
  Name: ({ name }) => name,
  Key: ({ prefix }) => <code class="brief">{prefix}…</code>,
  Created: ({ createdAt }) => <When at={createdAt} />,
  'Last used': ({ lastUsedAt }) => <When at={lastUsedAt} withTime />,
  Expires: ({ expiresAt }) => <When at={expiresAt} />,
};

function NameField({ value, place }: { value: string; place: string }) {
  return (
    <Field
      label="Name"
      name="name"
      value={value}
      hint={`Where it will be used, such as laptop or ${place}`}
      autocomplete="off"
      maxLength={80}
      required
    />
  );
}

/** Creates a key and shows it in the answer; the same form sent again creates none. */
export async function makeKey(http: Http, request: Request, member: SessionPrincipal): Promise<Response> {
  const form = await readForm(request);
  const typed = form.trimmed('name', 'expires', 'item');
  return handleForm(
    async () => {
      const term = readTerm(typed.expires);
      refuseSentBefore(http.tokens.take(member.sessionId, form.text('once')), 'key', 'created');
      const slug = form.text('slug');
      const item = listTakeable(http.stall, member).find(({ manifest }) => manifest.slug === slug);
      const created = await createKey(http.stall, 'itself', member, typed.name, term);
      return sendNewKey(http.viewOf(member), created, item?.manifest ?? null);
    },
    (refused) => showKeys(http, null, member, typed, refused),
  );
}

/**
 * Answers the form that created a key, after a purchase with the line that installs the item. No other page
 * shows the key, and nothing keeps it.
 */
function sendNewKey(
  view: View,
  { secret, name, expiresAt }: CreatedKey,
  bought: Pick<Manifest, 'slug' | 'title'> | null,
): Response {
  const { origin } = view;
  const lines = {
    'In a shell, for agents and for the bookstall program, which send it to this stall alone': `export ${keyVariable(origin)}=${secret}`,
    "In a shell, for the curl commands on this stall's pages": `export BOOKSTALL_KEY=${secret}`,
    'With the bookstall program, which asks for the key': `bookstall login --url ${origin}`,
    'To check that it works: your library': curlLines.library(origin, BEARER_VARIABLE),
    ...(bought === null
      ? {}
      : {
          [`Then, to install “${bought.title}” for Claude Code`]: installLine(origin, bought.slug, 'claude'),
        }),
  };
  return sendPage(
    view,
    {
      title: 'Your new key',
      ...IN_ACCOUNT,
      lead: `“${name}” is ready. Copy it now: it is shown only once.`,
    },
    <>
      <section class="secret stack">
        <CopyLine text={secret} label="Key" />
        <p>
          Expires: <When at={expiresAt} />. Anyone who has this key can read what you own: keep it as safe as
          a password.
        </p>
      </section>
      <section>
        <h2>Use it</h2>
        {Object.entries(lines).map(([label, text]) => (
          <CopyLine text={text} label={label} />
        ))}
      </section>
      <p>
        Other agents: <a href={LINKS}>the lines for each</a>. <a href={KEYS}>All keys</a>
      </p>
    </>,
  );
}

/** The path of the list of keys, below which the other key pages are. */
export const KEYS = '/dashboard/api-keys';

/** A key's name, first characters and last use. */
export function KeyDescription({ of: { name, prefix, lastUsedAt } }: { of: StoredKey }) {
  return (
    <>
      “{name}” (<code>{prefix}…</code>,{' '}
      {lastUsedAt === null ? (
        'never used'
      ) : (
        <>
          last used <When at={lastUsedAt} withTime />
        </>
      )}
      )
    </>
  );
}

/** Sends the lines for each agent, the account's links, and the form that makes one; after a refused form, with the reason and the typed values. */
export function showLinks(
  { stall, tokens, viewOf }: Http,
  said: string | null,
  member: SessionPrincipal,
  typed: Typed = { ...BLANK, expires: '365' },
  refused: Refused | null = null,
): Response {
  const view = viewOf(member);
  const held = listTakeable(stall, member);
  const items = held.map(({ manifest }) => [idOf(manifest), manifest.title] as const);
  const now = stall.now();
  const links = stall.store.listKeys('token', member.accountId).filter((link) => isUsable(link, now));
  return sendPage(
    view,
    {
      title: 'Connect your agent',
      ...IN_ACCOUNT,
      said,
      refused,
      lead: 'Most agents send your key, and no line below holds it. For one that cannot, make a link.',
    },
    <>
      <AgentSteps place={{ origin: view.origin, link: null, slug: held[0]?.manifest.slug ?? 'SLUG' }} />
      <section id="links">
        <h2>Your links</h2>
        <DataTable
          caption="Active links"
          columns={{
            Name: ({ name }) => name,
            Link: ({ prefix }) => <code class="brief">{prefix}…</code>,
            Items: (link) => describeItems(stall, link),
            'Last used': ({ lastUsedAt }) => <When at={lastUsedAt} withTime />,
            Expires: ({ expiresAt }) => <When at={expiresAt} />,
            '': ({ id, name }) => (
              <div class="actions">
                <DangerLink href={`${LINKS}/${id}/revoke`}>
                  Revoke<span class="unseen"> {name}</span>
                </DangerLink>
              </div>
            ),
          }}
          rows={links.toReversed()}
          empty={<Empty>No links yet. A link lets an agent that cannot send a key take what you own.</Empty>}
        />
        {links.length > 0 && <LinkWarning />}
      </section>
      <section>
        <h2>Make a link</h2>
        <Form action={`${LINKS}/create`} label="Make a link">
          <input type="hidden" name="once" value={tokens.issue(member.sessionId)} />
          <NameField value={typed.name} place="project" />
          <Select label="Items" name="item" any="Everything you own" options={items} value={typed.item} />
          <Select label="Expires" name="expires" options={LINK_TERMS} value={typed.expires} />
          <Button>Make link</Button>
        </Form>
      </section>
    </>,
  );
}

/** An item in the form. */
const idOf = (manifest: Manifest): string => `${manifest.kind} ${itemKey(manifest)}`;

/** Makes a link and shows it in the answer; the same form sent again makes none. */
export async function makeLink(http: Http, request: Request, member: SessionPrincipal): Promise<Response> {
  const { stall, tokens } = http;
  const form = await readForm(request);
  const typed = form.trimmed('name', 'expires', 'item');
  return handleForm(
    async () => {
      const term = readTerm(typed.expires);
      const items = readItems(http, member, typed.item);
      refuseSentBefore(tokens.take(member.sessionId, form.text('once')), 'link', 'made');
      const { name } = typed;
      const created = await createToken(stall, 'itself', member, { name, items, reads: false, term });
      return sendNewLink(http, member, created);
    },
    (refused) => showLinks(http, null, member, typed, refused),
  );
}

/** The item of the form, which the account must hold; null means everything. */
function readItems({ stall }: Http, member: SessionPrincipal, chosen: string): readonly ScopedItem[] | null {
  if (chosen === '') return null;
  const held = listTakeable(stall, member);
  const found = held.find(({ manifest }) => idOf(manifest) === chosen)?.manifest;
  if (found !== undefined) return [{ kind: found.kind, itemKey: itemKey(found) }];
  throw Refusal.missing('Cannot make a link for this item: you hold it no longer; choose another');
}

/** No other page shows the link, and nothing keeps it. */
function sendNewLink({ stall, viewOf }: Http, member: SessionPrincipal, created: CreatedToken) {
  const view = viewOf(member);
  const { name, secret, scope, expiresAt } = created;
  const link = `${view.origin}/i/${secret}`;
  const held = listTakeable(stall, { ...member, kind: 'token', tokenId: created.id, scope });
  return sendPage(
    view,
    {
      title: 'Your new link',
      ...IN_ACCOUNT,
      lead: `“${name}” is ready. Copy it now: it is shown only once.`,
      headers: { 'Referrer-Policy': 'no-referrer' },
    },
    <>
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
      <QuietLink href={LINKS}>All links</QuietLink>
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
