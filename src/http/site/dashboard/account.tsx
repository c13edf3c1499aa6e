import { wantNews, wantsNews } from '../../../service/mails.ts';
import { ABSOLUTE, type Session } from '../../../access/session.ts';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { handleForm, type Refused, withFlash } from '../frame/handle-form.ts';
import type { Http } from '../../http.ts';
import { Notice, PageHeading, sendPage } from '../frame/page.tsx';
import { DataTable, When } from '../parts/data-table.tsx';
import { Button, ButtonLink, Checkbox, Field, Form } from '../parts/form.tsx';
import { changePassword, endSession, endSessions } from '../../../service/sessions.ts';
import { readForm } from '../../body.ts';
import { redirect } from '../../answer.ts';
import { writePersonalData } from '../../../service/accounts.ts';
import { STALLED } from '../../sender.ts';
import { createTextStream } from '../../stream.ts';

export const ACCOUNT = '/dashboard/account';

/** Sends the page of the account's password, sessions and data; after a refused form, with the reason. */
export async function showAccount(
  { stall, viewOf }: Http,
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

/** Changes the password; this browser gets a new session, and all others end. */
export async function choosePassword(
  http: Http,
  request: Request,
  member: SessionPrincipal,
): Promise<Response> {
  const form = await readForm(request);
  const [current, wanted] = [form.text('current'), form.text('password')];
  const address = http.budgets.addressOf(request).key;
  return handleForm(
    async () => {
      const { cookie } = await changePassword(http.stall, member, current, wanted, address);
      const headers = { 'Set-Cookie': http.cookie.keep(cookie, ABSOLUTE) };
      return redirect(withFlash(ACCOUNT, 'password-changed'), headers);
    },
    (refused) => showAccount(http, null, member, refused),
  );
}

/** Ends one session of the account. */
export function endOne(http: Http, member: SessionPrincipal, id: string): Promise<Response> {
  return handleForm(
    async () => {
      await endSession(http.stall, member.accountId, id);
      return redirect(withFlash(ACCOUNT, 'session-ended'));
    },
    (refused) => showAccount(http, null, member, refused),
  );
}

/** Ends all sessions of the account except the current one. */
export async function endOthers({ stall }: Http, member: SessionPrincipal): Promise<Response> {
  await endSessions(stall, member.accountId, member.sessionId);
  return redirect(withFlash(ACCOUNT, 'sessions-ended'));
}

/** The first match names the program: most browsers name the others too. */
const PROGRAMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bHeadlessChrome\//, 'Headless Chrome'],
  [/\bChromium\//, 'Chromium'],
  [/\bChrome\/|\bCriOS\//, 'Chrome'],
  [/^(?=.*\bVersion\/\d).*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^Wget\//, 'Wget'],
];

const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, 'an iPhone'],
  [/\biPad\b/, 'an iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'a Mac'],
  [/\bLinux\b/, 'Linux'],
];

/** A session's program in plain words, such as `Firefox on Linux`, from its user agent, which may be anything. */
export function nameProgram(userAgent: string | null): string {
  if (userAgent === null || userAgent.trim() === '') return 'An unnamed program';
  const program = find(PROGRAMS, userAgent);
  const system = find(SYSTEMS, userAgent);
  if (program === undefined) return system === undefined ? 'Another program' : `Another program on ${system}`;
  return system === undefined ? program : `${program} on ${system}`;
}

function find(table: typeof PROGRAMS, text: string): string | undefined {
  return table.find(([pattern]) => pattern.test(text))?.[1];
}

/** Keeps whether the stall remembers where the account read. */
export async function chooseReading(
  { stall }: Http,
  request: Request,
  member: SessionPrincipal,
): Promise<Response> {
  const isKept = (await readForm(request)).text('keep') !== '';
  await stall.readingPlaces.keep(member.accountId, isKept);
  return redirect(withFlash(ACCOUNT, isKept ? 'places-kept' : 'places-forgotten'));
}

function ReadingPlacesForm({ isKept }: { readonly isKept: boolean }) {
  return (
    <section>
      <h2>Reading</h2>
      <Form action={`${ACCOUNT}/reading`} label="Reading">
        <Checkbox label="Remember the chapter I read last in each item I own" name="keep" checked={isKept} />
        <Button kind="quiet">Save</Button>
      </Form>
    </section>
  );
}

/** Keeps whether new versions of what the account holds are mailed. */
export async function chooseNews(
  { stall }: Http,
  request: Request,
  member: SessionPrincipal,
): Promise<Response> {
  const isWanted = (await readForm(request)).text('news') !== '';
  await wantNews(stall, member.accountId, isWanted);
  return redirect(withFlash(ACCOUNT, isWanted ? 'news-begun' : 'news-ended'));
}

function NewsForm({ isWanted }: { readonly isWanted: boolean }) {
  return (
    <section>
      <h2>News</h2>
      <Form action={`${ACCOUNT}/news`} label="News">
        <Checkbox
          label="Mail me what is new in the items I hold, at most once a day"
          name="news"
          checked={isWanted}
        />
        <Button kind="quiet">Save</Button>
      </Form>
    </section>
  );
}

const DATA_HEADERS = {
  'Content-Type': 'application/json',
  'Content-Disposition': 'attachment; filename="bookstall-data.json"',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

/** Sends everything the stall stores about the account, as a file. */
export function sendOwnData(
  { stall, connections, requestLog }: Http,
  request: Request,
  member: SessionPrincipal,
): Response {
  if (request.method === 'HEAD') return new Response(null, { headers: DATA_HEADERS });
  connections.allowSilence(request, STALLED);
  const watcher = requestLog.watch(request, `${ACCOUNT}/data.json`);
  return new Response(createTextStream(writePersonalData(stall, member.email), watcher), {
    headers: DATA_HEADERS,
  });
}
