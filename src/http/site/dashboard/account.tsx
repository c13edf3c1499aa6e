import { Elysia } from 'elysia';
import { wantsNews } from '../../../service/mails.ts';
import type { Session } from '../../../access/session.ts';
import type { SessionPrincipal } from '../../../access/principal.ts';
import type { Refused } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { sendPage } from '../frame/page.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Field } from '../parts/field.tsx';
import { Button, ButtonLink, Form } from '../parts/form.tsx';
import { PageHeading } from '../parts/heading.tsx';
import { Notice } from '../parts/notice.tsx';
import { When } from '../parts/when.tsx';
import { readFlash } from '../frame/flash-message.ts';
import { ReadingPlacesForm } from './reading-places.tsx';
import { NewsForm } from './news.tsx';
import { nameProgram } from './user-agent.ts';

export const ACCOUNT = '/dashboard/account';

/** `GET /dashboard/account`: the reader's account, password, sessions and data. */
export function accountPage(deps: RouteDeps) {
  return new Elysia()
    .use(deps.identity)
    .get(ACCOUNT, ({ query, member }) => showAccount(deps, readFlash(query), member), { memberGuard: true });
}

/** Sends the account's page; after a refused form, with the reason. */
export async function showAccount(
  { stall, viewOf }: RouteDeps,
  said: string | null,
  member: SessionPrincipal,
  refused: Refused | null = null,
): Promise<Response> {
  const [sessions, isKept, account, isNewsWanted] = await Promise.all([
    stall.sessions.list(member.accountId),
    stall.readingPlaces.areKept(member.accountId),
    stall.store.findAccountById(member.accountId),
    wantsNews(stall, member.accountId),
  ]);
  return sendPage(
    viewOf(member),
    { title: 'Account', current: ACCOUNT, ...refused },
    <>
      <PageHeading title="Account" />
      {said !== null && <Notice kind="good">{said}</Notice>}
      {refused !== null && <Notice kind="bad">{refused.sentence}</Notice>}
      <dl class="facts">
        <dt>E-mail</dt>
        <dd>
          {member.email}
          {account?.verifiedAt === null && (
            <p class="hint">
              Not confirmed yet:{' '}
              {stall.outbox.sends ? (
                <a href="/forgot">choose a new password by mail</a>
              ) : (
                'ask the people who run this stall for a link'
              )}
              . From then on, what you buy with this address comes here by itself.
            </p>
          )}
        </dd>
        <dt>Subscriber id</dt>
        <dd>
          <code>{member.accountId}</code>
        </dd>
      </dl>
      <Password email={member.email} />
      <Sessions sessions={sessions} own={member.sessionId} />
      <ReadingPlacesForm isKept={isKept} />
      {isNewsWanted !== null && <NewsForm isWanted={isNewsWanted} />}
      <section>
        <h2>Your data</h2>
        <p>
          Everything this stall stores about you: your keys without their text, grants, sessions, downloads,
          where you read, and when you asked questions, but never their words. To have it deleted, contact the
          stall.
        </p>
        <ButtonLink href={`${ACCOUNT}/data.json`} kind="quiet">
          Download as JSON
        </ButtonLink>
      </section>
    </>,
  );
}

function Password({ email }: { email: string }) {
  return (
    <section>
      <h2>Password</h2>
      <Form action={`${ACCOUNT}/password`} label="Change password">
        {/* Password managers file a password under a name. */}
        <input type="email" name="email" value={email} autocomplete="username" readOnly hidden />
        <Field
          label="Current password"
          name="current"
          type="password"
          autocomplete="current-password"
          required
        />
        <Field
          label="New password"
          name="password"
          type="password"
          hint="At least 8 characters. Every other session ends; API keys keep working."
          autocomplete="new-password"
          minLength={8}
          maxLength={256}
          required
        />
        <Button>Change password</Button>
      </Form>
    </section>
  );
}

function Sessions({ sessions, own }: { sessions: readonly Session[]; own: string }) {
  return (
    <section>
      <h2>Sessions</h2>
      <DataTable
        caption="Browsers signed in to your account"
        columns={['Program', 'Signed in', 'Last seen', '']}
        rows={sessions.map((session) => ({ key: session.id, cells: cellsOf(session, session.id === own) }))}
        empty={null}
      />
      {sessions.length > 1 && (
        <Form
          action={`${ACCOUNT}/sessions/end-others`}
          confirm="Every other browser will have to sign in again."
        >
          <Button kind="danger">End all other sessions</Button>
        </Form>
      )}
    </section>
  );
}

function cellsOf({ id, userAgent, createdAt, lastSeenAt }: Session, isOwn: boolean) {
  const name = nameProgram(userAgent);
  return [
    <span title={userAgent ?? undefined}>{name}</span>,
    <When at={createdAt} withTime />,
    <When at={lastSeenAt} withTime />,
    isOwn ? (
      <span class="badge good">This session</span>
    ) : (
      <Form action={`${ACCOUNT}/sessions/${id}/end`} confirm="That browser will have to sign in again.">
        <Button kind="quiet">
          End<span class="unseen"> the session of {name}</span>
        </Button>
      </Form>
    ),
  ];
}
