import type { ComponentChildren } from 'preact';
import { isUsable } from '../accounts/key.rule.ts';
import { SHORTEST_PASSWORD } from '../accounts/password.rule.ts';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import type { Session } from '../accounts/session.rule.ts';
import { requestEmailChange, wantNews, wantsNews } from '../selling/mails.ts';
import { DisconnectToo, readDisconnect } from '../accounts/connector.part.tsx';
import { changePassword, readerProof } from '../accounts/reader-proof.ts';
import { Proven } from '../accounts/proof.part.tsx';
import { endSession, endSessions } from '../accounts/session.ts';
import type { Stall, Http } from '../selling/stall.ts';
import type { StoredKey, StoredToken } from '../accounts/key.ts';
import { readForm } from '../platform/http/body.ts';
import { type FlashWord, handleForm, type Refused, redirectSaying } from '../platform/site/handle-form.ts';
import { ASSISTANTS } from '../platform/site/linked-pages.ts';
import { ACCOUNT, inAccount, SECOND_STEP, sendPage } from '../platform/site/page.tsx';
import { ContactLink } from '../selling/buy.part.tsx';
import { DataTable, When } from '../platform/site/data-table.tsx';
import { Button, CurrentPassword, EmailField, Field, Form, Username } from '../platform/site/form.tsx';
import { useWords } from '../platform/site/words.tsx';
import { AGENT_LINKS, DEVICES, KEYS } from '../accounts/key.part.tsx';
import type { Words } from '../words/words.ts';
import { NEW_PASSWORD } from '../accounts/new-password.part.tsx';
import { DATA, isReader, REMOVAL } from './own-data.page.tsx';

export const EMAIL = `${ACCOUNT}/email`;
export const PASSWORD = `${ACCOUNT}/password`;
const LOGS = '/dashboard/logs';
const DOWNLOADS = '/dashboard/downloads';

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
  const step = stall.store.findSecondStep(accountId);
  const isNewsWanted = wantsNews(stall, accountId);
  const keys = stall.store.listKeys('key', accountId);
  const links = stall.store.listKeys('token', accountId);
  const isByProxy = stall.config.proxySignIn !== null;
  const live = (list: readonly (StoredKey | StoredToken)[]) =>
    list.filter((one) => isUsable(one, stall.now())).length;
  const view = viewOf(member);
  const { frame, library, assistants } = view.words;
  const { account: words, logs } = library;
  return sendPage(
    view,
    { title: frame.account, current: ACCOUNT, said, refused },
    <>
      <Part title={words.signIn}>
        {row(
          words.email,
          <>
            <b>{email}</b>
            {account?.verifiedAt === null && <Unconfirmed sends={stall.outbox.sends} />}
          </>,
          isByProxy ? null : way(EMAIL, words.changeEmail),
        )}
        {!isByProxy &&
          (account?.hasPassword === true
            ? row(words.password, words.passwordState, way(PASSWORD, words.changePassword))
            : row(
                words.password,
                stall.outbox.sends ? words.noPassword : words.noPasswordWithoutMail,
                way(PASSWORD, words.choosePassword),
              ))}
        {member.isOwner &&
          row(
            words.secondStep,
            step === null ? words.stepOff : words.stepOn,
            way(SECOND_STEP, words.changeStep),
          )}
      </Part>
      <Sessions sessions={sessions} own={sessionId} />
      <Part title={frame.connect}>
        {row(library.keys.title, words.keysState({ count: live(keys) }), way(KEYS, words.manageKeys))}
        {row(
          assistants.list,
          assistants.lead,
          way(ASSISTANTS, () => [assistants.all]),
        )}
        {row(words.agents, words.agentsState({ count: live(links) }), way(AGENT_LINKS, words.connect))}
        {row(
          words.readers,
          words.readersState({ address: <code>{view.origin}/opds</code> }),
          way(DEVICES, words.keepPlaces),
        )}
      </Part>
      <Part title={logs.title}>
        {row(logs.questions.title, words.questionsState, way(LOGS, words.showQuestions))}
        {row(logs.downloads.title, words.downloadsState, way(DOWNLOADS, words.showDownloads))}
      </Part>
      <Part title={words.data}>
        <ChoiceRow name="reading" isChosen={isKept} />
        {isNewsWanted !== null && <ChoiceRow name="news" isChosen={isNewsWanted} />}
        {row(words.export, words.exportState, way(DATA, words.saveExport))}
        {isReader(member) && row(words.removal, words.removalState, way(REMOVAL, words.removeAccount))}
        {row(words.id, <code>{accountId}</code>)}
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

const row = (name: string, state: ComponentChildren, does: ComponentChildren = null) => (
  <div>
    <dt>{name}</dt>
    <dd>{state}</dd>
    {does !== null && <dd>{does}</dd>}
  </div>
);

/**
 * A link to the page that changes a setting. `words` may add text for screen readers, which may not read the rest of the row.
 */
const way = (to: string, words: (unseen: (text: string) => ComponentChildren) => ComponentChildren) => (
  <a href={to}>
    {words((text) => (
      <span class="unseen">{text}</span>
    ))}
  </a>
);

function Unconfirmed({ sends }: { sends: boolean }) {
  const { account: words } = useWords().library;
  return (
    <p class="hint">
      {sends
        ? words.unconfirmed((text) => <a href={`/sign-in/mail?next=${ACCOUNT}`}>{text}</a>)
        : words.unconfirmedWithoutMail}
    </p>
  );
}

export function showPassword(
  { stall, viewOf }: Http,
  member: SessionPrincipal,
  refused: Refused | null = null,
) {
  const view = viewOf(member);
  const { password: words } = view.words.library;
  const proof = readerProof(stall, member);
  const title = proof === 'password' ? words.title : words.first;
  return sendPage(
    view,
    { title, ...inAccount(view.words), refused, isNarrow: true },
    <Proven proof={proof} page={PASSWORD}>
      <Form action={PASSWORD} label={title}>
        <Username email={member.email} />
        {proof === 'password' && <CurrentPassword label={words.current} name="current" />}
        <Field
          label={words.new}
          name="password"
          hint={words.hint({ fewest: SHORTEST_PASSWORD })}
          {...NEW_PASSWORD}
        />
        <DisconnectToo />
        <Button>{title}</Button>
      </Form>
    </Proven>,
  );
}

export function showEmail(
  { stall, viewOf }: Http,
  member: SessionPrincipal,
  typed = '',
  refused: Refused | null = null,
): Response {
  const view = viewOf(member);
  const { contact } = view.manifest;
  const { email: words } = view.words.library;
  const proof = readerProof(stall, member);
  return sendPage(
    view,
    { title: words.title, ...inAccount(view.words), refused, isNarrow: true },
    stall.outbox.sends ? (
      <>
        <p>{words.now({ email: <b>{member.email}</b> })}</p>
        <Proven proof={proof} page={EMAIL}>
          <Form action={EMAIL} label={words.title}>
            <EmailField label={words.new} value={typed} hint={words.hint} autocomplete="email" />
            {proof === 'password' && <CurrentPassword label={words.password} name="current" />}
            <Button>{words.send}</Button>
          </Form>
        </Proven>
      </>
    ) : (
      <p>
        {contact === null
          ? words.noMailByPeople
          : words.noMail({ contact: <ContactLink contact={contact} /> })}
      </p>
    ),
  );
}

/** Mails a link that confirms the new address. The answer is the same for every address. */
export async function changeEmail(http: Http, request: Request, member: SessionPrincipal): Promise<Response> {
  const form = await readForm(request);
  const [email, current] = [form.text('email'), form.text('current')];
  return handleForm(
    async () => {
      await requestEmailChange(http.stall, member, {
        text: email,
        password: current,
        client: http.budgets.addressOf(request).key,
      });
      return redirectSaying(ACCOUNT, 'email-asked');
    },
    (refused) => showEmail(http, member, email, refused),
  );
}

function Sessions({ sessions, own }: { sessions: readonly Session[]; own: string }) {
  const { frame, library } = useWords();
  const { sessions: words } = library;
  return (
    <section class="part listed">
      <h2>{words.title}</h2>
      <div class="stack">
        <DataTable
          caption={words.caption}
          columns={{
            [words.browser]: ({ userAgent }) => (
              <span title={userAgent ?? undefined}>{nameProgram(words, userAgent)}</span>
            ),
            [words.since]: ({ createdAt }) => <When at={createdAt} withTime />,
            [words.seen]: ({ lastSeenAt }) => <When at={lastSeenAt} withTime />,
            '': ({ id, userAgent }) =>
              id === own ? (
                <span class="badge good">{words.own}</span>
              ) : (
                <Form action={`${ACCOUNT}/sessions/${id}/end`} confirm={words.end}>
                  <Button kind="quiet">
                    {frame.signOut}
                    <span class="unseen"> {nameProgram(words, userAgent)}</span>
                  </Button>
                </Form>
              ),
          }}
          rows={sessions}
        />
        {sessions.length > 1 && (
          <Form action={`${ACCOUNT}/sessions/end-others`} confirm={words.endOthers}>
            <Button kind="danger">{words.others}</Button>
          </Form>
        )}
      </div>
    </section>
  );
}

/** Changes the password, ends all sessions of the account, and begins a new one in this browser. */
export async function choosePassword(http: Http, request: Request, member: SessionPrincipal) {
  const form = await readForm(request);
  const [current, wanted] = [form.text('current'), form.text('password')];
  const address = http.budgets.addressOf(request).key;
  return handleForm(
    async () => {
      const cookie = await changePassword(http.stall, member, {
        current,
        next: wanted,
        address,
        disconnects: readDisconnect(form),
      });
      const headers = { 'Set-Cookie': http.cookie.keep(cookie) };
      return redirectSaying(ACCOUNT, 'password-changed', headers);
    },
    (refused) => showPassword(http, member, refused),
  );
}

export function endOne(http: Http, member: SessionPrincipal, id: string): Promise<Response> {
  return handleForm(
    async () => {
      await endSession(http.stall, member.accountId, id);
      return redirectSaying(ACCOUNT, 'session-ended');
    },
    (refused) => showAccount(http, null, member, refused),
  );
}

export async function endOthers({ stall }: Http, member: SessionPrincipal): Promise<Response> {
  await endSessions(stall, member.accountId, member.sessionId);
  return redirectSaying(ACCOUNT, 'sessions-ended');
}

/** The names of browsers, by patterns of their User-Agent. The first match counts, since most browsers also name others. */
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

const SYSTEMS: typeof PROGRAMS = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
];

/** Names the browser and system of a session, as in `Firefox on Linux`, by its User-Agent header, which may be any text. */
export function nameProgram(words: Words['library']['sessions'], userAgent: string | null): string {
  if (userAgent === null || userAgent.trim() === '') return words.unnamed;
  const [program = words.unknown, system] = [PROGRAMS, SYSTEMS].map(
    (table) => table.find(([pattern]) => pattern.test(userAgent))?.[1],
  );
  if (system === undefined) return program;
  const onDevice = Object.entries(words.on).find(([device]) => device === system)?.[1];
  return onDevice === undefined ? words.onSystem({ program, system }) : onDevice({ program });
}

type Choice = {
  readonly name: 'reading' | 'news';
  readonly keep: (stall: Stall, accountId: string, isChosen: boolean) => Promise<void>;
  readonly said: readonly [on: FlashWord, off: FlashWord];
};

export const READING: Choice = {
  name: 'reading',
  keep: (stall, accountId, isChosen) => stall.readingPlaces.keep(accountId, isChosen),
  said: ['places-kept', 'places-forgotten'],
};

export const NEWS: Choice = { name: 'news', keep: wantNews, said: ['news-begun', 'news-ended'] };

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

function ChoiceRow({ name, isChosen }: { name: Choice['name']; isChosen: boolean }) {
  const { account: words } = useWords().library;
  const { title, on, off } = words[name];
  return row(
    title,
    isChosen ? on : off,
    <Form action={`${ACCOUNT}/${name}`} label={title}>
      <Button kind="quiet" {...(isChosen ? {} : { name, value: 'on' })}>
        {isChosen ? words.turnOff : words.turnOn}
        <span class="unseen"> {title}</span>
      </Button>
    </Form>,
  );
}
