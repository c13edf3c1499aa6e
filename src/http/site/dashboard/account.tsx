import { wantNews, wantsNews } from '../../../service/mails.ts';
import { ABSOLUTE, type Session } from '../../../access/session.ts';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { type FlashWord, handleForm, type Refused, withFlash } from '../frame/handle-form.ts';
import type { Http } from '../../http.ts';
import { sendPage } from '../frame/page.tsx';
import { DataTable, Facts, When } from '../parts/data-table.tsx';
import { Button, Checkbox, Field, Form, NEW_PASSWORD, QuietLink, Username } from '../parts/form.tsx';
import { changePassword, endSession, endSessions } from '../../../service/sessions.ts';
import { readForm } from '../../body.ts';
import { redirect } from '../../answer.ts';
import { writePersonalData } from '../../../service/accounts.ts';
import type { Stall } from '../../../service/stall.ts';
import { sendWritten } from '../../download.ts';

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
    { title: 'Account', current: ACCOUNT, said, refused },
    <>
      <Facts
        facts={[
          [
            'E-mail',
            <>
              {member.email}
              {account?.verifiedAt === null && <Unconfirmed sends={stall.outbox.sends} />}
            </>,
          ],
          ['Subscriber id', <code>{member.accountId}</code>],
        ]}
      />
      <Password email={member.email} />
      <Sessions sessions={sessions} own={member.sessionId} />
      <ChoiceForm choice={READING} isChosen={isKept} />
      {isNewsWanted !== null && <ChoiceForm choice={NEWS} isChosen={isNewsWanted} />}
      <section>
        <h2>Your data</h2>
        <p>
          Everything this stall stores about you: your keys without their text, grants, sessions, downloads,
          where you read, and when you asked questions, but never their words. To have it deleted, contact the
          stall.
        </p>
        <QuietLink href={`${ACCOUNT}/data.json`}>Download as JSON</QuietLink>
      </section>
    </>,
  );
}

function Unconfirmed({ sends }: { sends: boolean }) {
  return (
    <p class="hint">
      Not confirmed yet:{' '}
      {sends ? (
        <a href="/forgot">choose a new password by mail</a>
      ) : (
        'ask the people who run this stall for a link'
      )}
      . From then on, what you buy with this address comes here by itself.
    </p>
  );
}

function Password({ email }: { email: string }) {
  return (
    <section>
      <h2>Password</h2>
      <Form action={`${ACCOUNT}/password`} label="Change password">
        <Username email={email} />
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
          hint="At least 8 characters. Every other session ends; API keys keep working."
          {...NEW_PASSWORD}
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
        columns={{
          Program: ({ userAgent }) => <span title={userAgent ?? undefined}>{nameProgram(userAgent)}</span>,
          'Signed in': ({ createdAt }) => <When at={createdAt} withTime />,
          'Last seen': ({ lastSeenAt }) => <When at={lastSeenAt} withTime />,
          '': ({ id, userAgent }) =>
            id === own ? (
              <span class="badge good">This session</span>
            ) : (
              <Form
                action={`${ACCOUNT}/sessions/${id}/end`}
                confirm="That browser will have to sign in again."
              >
                <Button kind="quiet">
                  End<span class="unseen"> the session of {nameProgram(userAgent)}</span>
                </Button>
              </Form>
            ),
        }}
        rows={sessions}
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

/** Changes the password; this browser gets a new session, and all others end. */
export async function choosePassword(http: Http, request: Request, member: SessionPrincipal) {
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

/** A choice of the account's holder, kept by a form of its own. */
type Choice = {
  readonly name: 'reading' | 'news';
  readonly field: string;
  readonly title: string;
  readonly label: string;
  readonly keep: (stall: Stall, accountId: string, isChosen: boolean) => Promise<unknown>;
  readonly said: readonly [chosen: FlashWord, not: FlashWord];
};

/** Whether the stall remembers where the account read. */
export const READING: Choice = {
  name: 'reading',
  field: 'keep',
  title: 'Reading',
  label: 'Remember the chapter I read last in each item I own',
  keep: ({ readingPlaces }, accountId, isKept) => readingPlaces.keep(accountId, isKept),
  said: ['places-kept', 'places-forgotten'],
};

/** Whether new versions of what the account holds are mailed. */
export const NEWS: Choice = {
  name: 'news',
  field: 'news',
  title: 'News',
  label: 'Mail me what is new in the items I hold, at most once a day',
  keep: wantNews,
  said: ['news-begun', 'news-ended'],
};

/** Keeps a choice. */
export async function choose(
  { stall }: Http,
  request: Request,
  member: SessionPrincipal,
  { field, keep, said: [chosen, not] }: Choice,
): Promise<Response> {
  const isChosen = (await readForm(request)).text(field) !== '';
  await keep(stall, member.accountId, isChosen);
  return redirect(withFlash(ACCOUNT, isChosen ? chosen : not));
}

function ChoiceForm({
  choice: { name, field, title, label },
  isChosen,
}: {
  choice: Choice;
  isChosen: boolean;
}) {
  return (
    <section>
      <h2>{title}</h2>
      <Form action={`${ACCOUNT}/${name}`} label={title}>
        <Checkbox label={label} name={field} checked={isChosen} />
        <Button kind="quiet">Save</Button>
      </Form>
    </section>
  );
}

/** Sends everything the stall stores about the account, as a file. */
export function sendOwnData(http: Http, request: Request, { email }: SessionPrincipal): Response {
  const file = { type: 'application/json', name: 'bookstall-data.json' };
  return sendWritten(http, request, `${ACCOUNT}/data.json`, file, writePersonalData(http.stall, email));
}
