import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { type Overlap, readOverlap, rotateKey } from '../../../service/keys.ts';
import type { StoredKey } from '../../../store/tables/keys.ts';
import { readForm } from '../../form.ts';
import { handleForm, type Refused } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { sendPage } from '../frame/page.tsx';
import { Select } from '../parts/field.tsx';
import { Button, ButtonLink, Form } from '../parts/form.tsx';
import { PageHeading } from '../parts/heading.tsx';
import { Notice } from '../parts/notice.tsx';
import { When } from '../parts/when.tsx';
import { findUsable, KeyDescription, KEYS, refuseSentBefore } from './key-parts.tsx';
import { sendNewKey } from './new-key.tsx';

const OVERLAPS: Readonly<Record<Overlap, string>> = {
  now: 'ends now',
  '1h': 'works for another hour',
  '24h': 'works for another 24 hours',
  '7d': 'works for another 7 days',
};
const CHOICES = Object.entries(OVERLAPS).map(([value, label]) => ({ value, label }));

/** `/dashboard/api-keys/:id/rotate`: replaces a key by a new one; the old key may work for a while longer. */
export function keyRotate(deps: RouteDeps) {
  const { stall, identity, viewOf } = deps;
  return new Elysia()
    .use(identity)
    .get(
      `${KEYS}/:id/rotate`,
      async ({ params, member }) => ask(deps, member, await findUsable(deps, member, params.id)),
      { memberGuard: true },
    )
    .post(
      `${KEYS}/:id/rotate`,
      async ({ request, params, member }) => {
        const form = await readForm(request);
        const old = await findUsable(deps, member, params.id);
        return handleForm(
          async () => {
            const overlap = readOverlap(form.text('overlap'));
            refuseSentBefore(deps.tokens.take(member.sessionId, form.text('once')));
            const created = await rotateKey(stall, 'itself', old, overlap);
            const keys = await stall.store.listKeys('key', member.accountId);
            return sendNewKey(
              viewOf(member),
              created,
              <OldKey of={keys.find(({ id }) => id === old.id) ?? old} />,
            );
          },
          (refused) => ask(deps, member, old, form.text('overlap'), refused),
        );
      },
      { memberGuard: true, parse: 'none' },
    );
}

function ask(
  { tokens, viewOf }: RouteDeps,
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
