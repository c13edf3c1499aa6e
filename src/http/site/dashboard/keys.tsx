import { isUsable } from '../../../access/key.ts';
import type { SessionPrincipal } from '../../../access/principal.ts';
import type { KeyHolder, StoredKey } from '../../../store/tables/keys.ts';
import { handleForm, refuseSentBefore, type Refused } from '../frame/handle-form.ts';
import type { Http } from '../../http.ts';
import { Notice, PageHeading, sendPage, type View } from '../frame/page.tsx';
import { DataTable, Empty, When } from '../parts/data-table.tsx';
import { Button, ButtonLink, CopyLine, Field, Form, Select } from '../parts/form.tsx';
import {
  type CreatedKey,
  createKey,
  type Overlap,
  readOverlap,
  readTerm,
  rotateKey,
} from '../../../service/keys.ts';
import { readForm } from '../../body.ts';
import type { ComponentChildren } from 'preact';
import { keyVariable } from '../../../item/marketplace.ts';
import { BEARER_VARIABLE, curlLines } from '../../../item/connect.ts';
import { Refusal } from '../../../refusal.ts';

/** How many revoked and expired keys are shown, the latest ones. */
const MOST_ENDED = 50;

const TERMS = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'never', label: 'Never' },
];

/** The typed values of a new key's form. */
type TypedKey = { readonly name: string; readonly expires: string };

const BLANK: TypedKey = { name: '', expires: '90' };

/** Sends the account's keys and the form that creates one; after a refused form, with the reason and the typed values. */
export async function showKeys(
  { stall, tokens, viewOf }: Http,
  said: string | null,
  member: SessionPrincipal,
  typed: TypedKey = BLANK,
  refused: Refused | null = null,
): Promise<Response> {
  const keys = (await stall.store.listKeys('key', member.accountId)).toReversed();
  const now = stall.now();
  const [live, ended] = [keys.filter((key) => isUsable(key, now)), keys.filter((key) => !isUsable(key, now))];
  return sendPage(
    viewOf(member),
    { title: 'API keys', current: KEYS, ...refused },
    <>
      <PageHeading title="API keys" lead="A key lets your agent read what you own and ask it questions." />
      {said !== null && <Notice kind="good">{said}</Notice>}
      {refused !== null && <Notice kind="bad">{refused.sentence}</Notice>}
      <DataTable
        caption="Active keys"
        columns={['Name', 'Key', 'Created', 'Last used', 'Expires', '']}
        rows={live.map((key) => ({
          key: String(key.id),
          cells: [...cellsOf(key), <KeyActions of={key} />],
        }))}
        empty={<Empty>No keys yet. A key lets your agent read what you own.</Empty>}
      />
      <NewKey typed={typed} token={tokens.issue(member.sessionId)} />
      {ended.length > 0 && <EndedKeys keys={ended} />}
    </>,
  );
}

function cellsOf({ name, prefix, createdAt, lastUsedAt, expiresAt }: StoredKey) {
  return [
    name,
    <code class="brief">{prefix}…</code>,
    <When at={createdAt} />,
    <When at={lastUsedAt} withTime />,
    <When at={expiresAt} />,
  ];
}

function KeyActions({ of: { id, name } }: { of: StoredKey }) {
  const which = <span class="unseen"> {name}</span>;
  return (
    <div class="actions">
      <ButtonLink href={`${KEYS}/${id}/rotate`} kind="quiet">
        Rotate{which}
      </ButtonLink>
      <ButtonLink href={`${KEYS}/${id}/revoke`} kind="danger">
        Revoke{which}
      </ButtonLink>
    </div>
  );
}

function NewKey({ typed, token }: { typed: TypedKey; token: string }) {
  return (
    <section>
      <h2>Create a key</h2>
      <Form action={`${KEYS}/create`}>
        <input type="hidden" name="once" value={token} />
        <Field
          label="Name"
          name="name"
          value={typed.name}
          hint="Where it will be used, such as laptop or build server"
          autocomplete="off"
          maxLength={80}
          required
        />
        <Select label="Expires" name="expires" options={TERMS} value={typed.expires} />
        <Button>Create key</Button>
      </Form>
    </section>
  );
}

function EndedKeys({ keys }: { keys: readonly StoredKey[] }) {
  return (
    <details>
      <summary>Revoked and expired keys ({keys.length})</summary>
      <DataTable
        caption={
          keys.length > MOST_ENDED ? `The last ${MOST_ENDED} keys that ended` : 'Keys that no longer work'
        }
        columns={['Name', 'Key', 'Created', 'Last used', 'Expires', 'Revoked']}
        rows={keys.slice(0, MOST_ENDED).map((key) => ({
          key: String(key.id),
          cells: [...cellsOf(key), <When at={key.revokedAt} never="expired" />],
        }))}
        empty={null}
      />
    </details>
  );
}

/** Creates a key and shows it in the answer; the same form sent again creates none. */
export async function makeKey(http: Http, request: Request, member: SessionPrincipal): Promise<Response> {
  const form = await readForm(request);
  const typed = { name: form.text('name'), expires: form.text('expires') };
  return handleForm(
    async () => {
      const term = readTerm(typed.expires);
      refuseSentBefore(http.tokens.take(member.sessionId, form.text('once')), 'key', 'created');
      return sendNewKey(http.viewOf(member), await createKey(http.stall, 'itself', member, typed.name, term));
    },
    (refused) => showKeys(http, null, member, typed, refused),
  );
}

/** Answers the form that created a key. No other page shows the key, and nothing keeps it. `children` follow the key. */
function sendNewKey(
  view: View,
  { secret, name, expiresAt }: CreatedKey,
  children?: ComponentChildren,
): Response {
  return sendPage(
    view,
    { title: 'Your new key', current: KEYS },
    <>
      <PageHeading title="Your new key" lead={`“${name}” is ready. Copy it now: it is shown only once.`} />
      <section class="secret stack">
        <CopyLine text={secret} label="Key" />
        <p>
          Expires: <When at={expiresAt} />. Anyone who has this key can read what you own: keep it as safe as
          a password.
        </p>
      </section>
      {children}
      <section>
        <h2>Use it</h2>
        <CopyLine
          text={`export ${keyVariable(view.origin)}=${secret}`}
          label="In a shell, for agents and for the bookstall program, which send it to this stall alone"
        />
        <CopyLine
          text={`export BOOKSTALL_KEY=${secret}`}
          label="In a shell, for the curl commands on this stall's pages"
        />
        <CopyLine
          text={`bookstall login --url ${view.origin}`}
          label="With the bookstall program, which asks for the key"
        />
        <CopyLine
          text={curlLines.library(view.origin, BEARER_VARIABLE)}
          label="To check that it works: your library"
        />
      </section>
      <ButtonLink href={KEYS} kind="quiet">
        All keys
      </ButtonLink>
    </>,
  );
}

const OVERLAPS: Readonly<Record<Overlap, string>> = {
  now: 'ends now',
  '1h': 'works for another hour',
  '24h': 'works for another 24 hours',
  '7d': 'works for another 7 days',
};
const CHOICES = Object.entries(OVERLAPS).map(([value, label]) => ({ value, label }));

/** The form that replaces a key by a new one; the old key may work for a while longer. */
export async function showRotation(http: Http, member: SessionPrincipal, id: string): Promise<Response> {
  return askOverlap(http, member, await findUsable(http, member, id));
}

/** Replaces a key, and shows the new one in the answer; the same form sent again replaces none. */
export async function replaceKey(
  http: Http,
  request: Request,
  member: SessionPrincipal,
  id: string,
): Promise<Response> {
  const { stall, tokens, viewOf } = http;
  const form = await readForm(request);
  const old = await findUsable(http, member, id);
  return handleForm(
    async () => {
      const overlap = readOverlap(form.text('overlap'));
      refuseSentBefore(tokens.take(member.sessionId, form.text('once')), 'key', 'created');
      const created = await rotateKey(stall, 'itself', old, overlap);
      const keys = await stall.store.listKeys('key', member.accountId);
      return sendNewKey(
        viewOf(member),
        created,
        <OldKey of={keys.find((key) => key.id === old.id) ?? old} />,
      );
    },
    (refused) => askOverlap(http, member, old, form.text('overlap'), refused),
  );
}

function askOverlap(
  { tokens, viewOf }: Http,
  member: SessionPrincipal,
  key: StoredKey,
  overlap = '24h',
  refused: Refused | null = null,
): Response {
  return sendPage(
    viewOf(member),
    { title: 'Rotate a key', current: KEYS, ...refused },
    <div class="narrow stack">
      <PageHeading title={`Rotate “${key.name}”`} />
      {refused !== null && <Notice kind="bad">{refused.sentence}</Notice>}
      <p>
        A new key with the same name and term replaces <KeyDescription of={key} />. Agents that still use the
        old key get 401 once it has ended.
      </p>
      <Form action={`${KEYS}/${key.id}/rotate`}>
        <input type="hidden" name="once" value={tokens.issue(member.sessionId)} />
        <Select label="Old key" name="overlap" options={CHOICES} value={overlap} />
        <div class="actions">
          <Button>Create new key</Button>
          <ButtonLink href={KEYS} kind="quiet">
            Cancel
          </ButtonLink>
        </div>
      </Form>
    </div>,
  );
}

/** The state of the key that was replaced. */
function OldKey({ of: { name, prefix, revokedAt, expiresAt } }: { of: StoredKey }) {
  return (
    <Notice kind="warn">
      The old key “{name}” (<code>{prefix}…</code>){' '}
      {revokedAt === null ? (
        <>
          works until <When at={expiresAt} withTime />. Programs that still use it then get 401.
        </>
      ) : (
        'has ended. Programs that still use it get 401.'
      )}
    </Notice>
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

/** The account's own active key of this id; any other is not found. */
export async function findUsable(
  { stall }: Http,
  { accountId }: SessionPrincipal,
  id: string,
): Promise<KeyHolder<'key'>> {
  const key = (await stall.store.listKeys('key', accountId)).find((one) => String(one.id) === id);
  if (key !== undefined && isUsable(key, stall.now())) return key;
  throw new Refusal('not-found', 'Cannot find this key among your active keys: open the list of your keys');
}
