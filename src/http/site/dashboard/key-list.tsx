import { Elysia } from 'elysia';
import { isUsable } from '../../../access/key.ts';
import type { SessionPrincipal } from '../../../access/principal.ts';
import type { StoredKey } from '../../../store/tables/keys.ts';
import type { Refused } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { sendPage } from '../frame/page.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Empty } from '../parts/empty.tsx';
import { Field, Select } from '../parts/field.tsx';
import { Button, ButtonLink, Form } from '../parts/form.tsx';
import { PageHeading } from '../parts/heading.tsx';
import { Notice } from '../parts/notice.tsx';
import { When } from '../parts/when.tsx';
import { readFlash } from '../frame/flash-message.ts';
import { KEYS } from './key-parts.tsx';

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

/** `GET /dashboard/api-keys`: the account's keys, and the form that creates one. */
export function keyList(deps: RouteDeps) {
  return new Elysia()
    .use(deps.identity)
    .get(KEYS, ({ query, member }) => showKeys(deps, readFlash(query), member), {
      memberGuard: true,
    });
}

/** Sends the list of keys; after a refused form, with the reason and the typed values. */
export async function showKeys(
  { stall, tokens, viewOf }: RouteDeps,
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
