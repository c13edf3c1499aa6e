import type { ComponentChildren } from 'preact';
import { isUsable } from '../../../access/key.ts';
import type { SessionPrincipal } from '../../../access/principal.ts';
import type { Session } from '../../../access/session.ts';
import { writePersonalData } from '../../../service/accounts.ts';
import { requestEmailChange, wantNews, wantsNews } from '../../../service/mails.ts';
import { changePassword, endSession, endSessions } from '../../../service/sessions.ts';
import { walkOwnNotes } from '../../../service/notes.ts';
import type { Stall } from '../../../service/stall.ts';
import type { StoredKey, StoredToken } from '../../../store/tables/keys.ts';
import { readForm } from '../../body.ts';
import { sendExport } from '../../download.ts';
import type { Http } from '../../http.ts';
import { type FlashWord, handleForm, type Refused, redirectSaying } from '../frame/handle-form.ts';
import { IN_ACCOUNT, sendPage } from '../frame/page.tsx';
import { ContactLink, LINKS } from '../parts/buy.tsx';
import { DataTable, When } from '../parts/data-table.tsx';
import { Button, CurrentPassword, EmailField, Field, Form, NEW_PASSWORD, Username } from '../parts/form.tsx';
import { KEYS } from './keys.tsx';
import { counted } from '../../../text.ts';

export const ACCOUNT = IN_ACCOUNT.current;
export const EMAIL = `${ACCOUNT}/email`;
export const PASSWORD = `${ACCOUNT}/password`;
const LOGS = '/dashboard/logs';
const DOWNLOADS = '/dashboard/downloads';

/** Sends the account's page: each thing with its state and the way to it. */
export function showAccount(
  { stall, viewOf }: Http,
  said: string | null,
  member: SessionPrincipal,
  refused: Refused | null = null,
): Response {
  const { accountId, email, sessionId } = member;
  const sessions = stall.sessions.list(accountId);
  const isKept = stall.readingPlaces.areKept(accountId);
  const account = stall.store.findAccountById(accountId);
  const isNewsWanted = wantsNews(stall, accountId);
  const keys = stall.store.listKeys('key', accountId);
  const links = stall.store.listKeys('token', accountId);
  const live = (list: readonly (StoredKey | StoredToken)[]) =>
    list.filter((one) => isUsable(one, stall.now())).length;
  const view = viewOf(member);
  const { contact } = view.stall;
  return sendPage(
    view,
    { title: 'Account', current: ACCOUNT, said, refused },
    <>
      <Part title="E-mail and password">
        {row(
          'E-mail',
          <>
            <b>{email}</b>
            {account?.verifiedAt === null && <Unconfirmed sends={stall.outbox.sends} />}
          </>,
          way(EMAIL, 'Change', 'e-mail'),
        )}
        {row(
          'Password',
          'A new password signs out every other browser.',
          way(PASSWORD, 'Change', 'password'),
        )}
      </Part>
      <Sessions sessions={sessions} own={sessionId} />
      <Part title="For your agent">
        {row(
          'Keys',
          `${live(keys) === 0 ? 'No keys yet.' : `${counted(live(keys), 'active key')}.`} A key lets your agent read what you own.`,
          way(KEYS, 'Manage', 'keys'),
        )}
        {row(
          'Agents',
          `${live(links) > 0 ? `${counted(live(links), 'link')}. ` : ''}Lines to paste for each agent, and links for those that cannot send a key.`,
          way(LINKS, 'Connect', 'your agent'),
        )}
        {row(
          'E-readers',
          <>
            KOReader and others read the catalog at <code>{view.origin}/opds</code> with any user name, and a
            key as the password.
          </>,
        )}
      </Part>
      <Part title="What was fetched">
        {row(
          'Questions',
          'Which books were asked, and when; never the words.',
          way(LOGS, 'Show', 'questions'),
        )}
        {row('Downloads', 'What you and your agents took, and when.', way(DOWNLOADS, 'Show', 'downloads'))}
      </Part>
      <Part title="Your data">
        {choiceRow(READING, isKept)}
        {isNewsWanted !== null && choiceRow(NEWS, isNewsWanted)}
        {row(
          'Export',
          'Everything this stall stores about you: purchases, keys without their text, sessions, downloads, notes, where you read, and when you asked questions, but never their words.',
          way(`${ACCOUNT}/data.json`, 'Save', 'your data as JSON'),
        )}
        {row(
          'Removal',
          <>
            To have the account deleted with all that, write to{' '}
            {contact === null ? 'the people who run this stall' : <ContactLink contact={contact} />}.
          </>,
        )}
        {row('Subscriber id', <code>{accountId}</code>)}
      </Part>
    </>,
  );
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="part">
      <h2>{title}</h2>
      <dl class="settings">{children}</dl>
    </section>
  );
}

/** A row of a section: a name, its present state, and its actions. */
const row = (name: string, state: ComponentChildren, does: ComponentChildren = null) => (
  <div>
    <dt>{name}</dt>
    <dd>{state}</dd>
    {does !== null && <dd>{does}</dd>}
  </div>
);

/** The link to where something is changed or shown. */
const way = (to: string, verb: string, what: string) => (
  <a href={to}>
    {verb}
    <span class="unseen"> {what}</span>
  </a>
);

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

/** The form for a new password; after a refusal, with the reason. */
export function showPassword({ viewOf }: Http, member: SessionPrincipal, refused: Refused | null = null) {
  return sendPage(
    viewOf(member),
    { title: 'Change password', ...IN_ACCOUNT, refused, isNarrow: true },
    <Form action={PASSWORD} label="Change password">
      <Username email={member.email} />
      <CurrentPassword label="Current password" name="current" />
      <Field
        label="New password"
        name="password"
        hint="At least 8 characters. Every other browser is signed out; keys keep working."
        {...NEW_PASSWORD}
      />
      <Button>Change password</Button>
    </Form>,
  );
}

/** The form for a new address; after a refusal, with the reason and the typed address. */
export function showEmail(
  { stall, viewOf }: Http,
  member: SessionPrincipal,
  typed = '',
  refused: Refused | null = null,
): Response {
  const view = viewOf(member);
  const { contact } = view.stall;
  return sendPage(
    view,
    { title: 'Change e-mail', ...IN_ACCOUNT, refused, isNarrow: true },
    stall.outbox.sends ? (
      <>
        <p>
          Now it is <b>{member.email}</b>. Nothing changes until the link is opened that the new address gets.
        </p>
        <Form action={EMAIL} label="Change e-mail">
          <EmailField
            label="New e-mail"
            value={typed}
            hint="What you own, your purchases and your keys stay with the account."
            autocomplete="email"
          />
          <CurrentPassword label="Your password" name="current" />
          <Button>Send a link to it</Button>
        </Form>
      </>
    ) : (
      <p>
        This stall sends no mail: ask{' '}
        {contact === null ? 'the people who run it' : <ContactLink contact={contact} />} for a link that
        changes your address.
      </p>
    ),
  );
}

/** Sends the link to the new address. The answer is the same for every address. */
export async function changeEmail(http: Http, request: Request, member: SessionPrincipal): Promise<Response> {
  const form = await readForm(request);
  const [email, current] = [form.text('email'), form.text('current')];
  return handleForm(
    async () => {
      await requestEmailChange(http.stall, member, email, current, http.budgets.addressOf(request).key);
      return redirectSaying(ACCOUNT, 'email-asked');
    },
    (refused) => showEmail(http, member, email, refused),
  );
}

function Sessions({ sessions, own }: { sessions: readonly Session[]; own: string }) {
  return (
    <section class="part listed">
      <h2>Where you are signed in</h2>
      <div class="stack">
        <DataTable
          caption="Browsers signed in to your account"
          columns={{
            Browser: ({ userAgent }) => <span title={userAgent ?? undefined}>{nameProgram(userAgent)}</span>,
            'Signed in': ({ createdAt }) => <When at={createdAt} withTime />,
            'Last seen': ({ lastSeenAt }) => <When at={lastSeenAt} withTime />,
            '': ({ id, userAgent }) =>
              id === own ? (
                <span class="badge good">This browser</span>
              ) : (
                <Form
                  action={`${ACCOUNT}/sessions/${id}/end`}
                  confirm="That browser will have to sign in again."
                >
                  <Button kind="quiet">
                    Sign out<span class="unseen"> {nameProgram(userAgent)}</span>
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
            <Button kind="danger">Sign out everywhere else</Button>
          </Form>
        )}
      </div>
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
      const cookie = await changePassword(http.stall, member, current, wanted, address);
      const headers = { 'Set-Cookie': http.cookie.keep(cookie) };
      return redirectSaying(ACCOUNT, 'password-changed', headers);
    },
    (refused) => showPassword(http, member, refused),
  );
}

/** Ends one session of the account. */
export function endOne(http: Http, member: SessionPrincipal, id: string): Promise<Response> {
  return handleForm(
    async () => {
      await endSession(http.stall, member.accountId, id);
      return redirectSaying(ACCOUNT, 'session-ended');
    },
    (refused) => showAccount(http, null, member, refused),
  );
}

/** Ends all sessions of the account except the current one. */
export async function endOthers({ stall }: Http, member: SessionPrincipal): Promise<Response> {
  await endSessions(stall, member.accountId, member.sessionId);
  return redirectSaying(ACCOUNT, 'sessions-ended');
}

/** The first match names the program, since most browsers name others too. */
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
  const [program = 'Another program', system] = [PROGRAMS, SYSTEMS].map(
    (table) => table.find(([pattern]) => pattern.test(userAgent))?.[1],
  );
  return system === undefined ? program : `${program} on ${system}`;
}

/** A switch of the account's holder, turned by one button. */
type Choice = {
  readonly name: 'reading' | 'news';
  readonly title: string;
  /** Its words while it is on, and while it is off. */
  readonly states: readonly [on: string, off: string];
  readonly keep: (stall: Stall, accountId: string, isChosen: boolean) => Promise<void>;
  readonly said: readonly [on: FlashWord, off: FlashWord];
};

/** Whether the library continues where a reader stopped. */
export const READING: Choice = {
  name: 'reading',
  title: 'Reading place',
  states: [
    'Kept, so that you continue where you stopped, on every device. Turned off, the stall forgets it.',
    'Not kept. Turned on, you continue where you stopped, on every device.',
  ],
  keep: (stall, accountId, isChosen) => stall.readingPlaces.keep(accountId, isChosen),
  said: ['places-kept', 'places-forgotten'],
};

/** Whether new versions of items that the account holds are mailed. */
export const NEWS: Choice = {
  name: 'news',
  title: 'News by mail',
  states: ['What is new in the items you hold, at most once a day.', 'Only what the publisher announces.'],
  keep: wantNews,
  said: ['news-begun', 'news-ended'],
};

/** Saves a switch. */
export async function choose(
  { stall }: Http,
  request: Request,
  member: SessionPrincipal,
  { name, keep, said: [chosen, not] }: Choice,
): Promise<Response> {
  const isChosen = (await readForm(request)).text(name) !== '';
  await keep(stall, member.accountId, isChosen);
  return redirectSaying(ACCOUNT, isChosen ? chosen : not);
}

const choiceRow = ({ name, title, states: [on, off] }: Choice, isChosen: boolean) =>
  row(
    title,
    isChosen ? on : off,
    <Form action={`${ACCOUNT}/${name}`} label={title}>
      <Button kind="quiet" {...(isChosen ? {} : { name, value: 'on' })}>
        {isChosen ? 'Turn off' : 'Turn on'}
        <span class="unseen"> {title}</span>
      </Button>
    </Form>,
  );

/** Sends everything the stall stores about the account, as a file. */
export function sendOwnData(http: Http, request: Request, member: SessionPrincipal): Promise<Response> {
  const file = { type: 'application/json', name: 'bookstall-data.json' };
  const data = writePersonalData(http.stall, member.email, walkOwnNotes(http.stall, member));
  return sendExport(http, request, { route: `${ACCOUNT}/data.json`, ...file }, data);
}
