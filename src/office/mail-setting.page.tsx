import { OfficeRefusal } from '../platform/base/told.ts';
import type { Office } from '../words/office.ts';
import { officeOf, useOffice } from '../platform/site/words.tsx';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { proofOf } from '../accounts/second-step.ts';
import { ProofField } from '../accounts/proof.part.tsx';
import { listPublished } from '../catalog/catalog.ts';
import { previewMail, WORDS_KINDS, type WordsKind } from '../mailing/mail-text.ts';
import { createMailer } from '../mailing/mailer.ts';
import {
  MAIL_PASSWORD,
  MAIL_SERVER,
  setBy,
  variableSetting,
  variablesOf,
} from '../platform/config/live-config.ts';
import {
  type KeptMailServer,
  MAIL_FROM,
  MAIL_SALES,
  type MailConfig,
  readMailConfig,
  SMTP_URL,
  smtpUrl,
} from '../platform/config/mail.ts';
import type { NewSettings } from '../platform/store/settings.ts';
import { type Form as SentForm, readForm } from '../platform/http/body.ts';
import { Button, Checkbox, Field, Form, Select, TextArea } from '../platform/site/form.tsx';
import { type FormEnd, handleForm, handleSentForm, redirectSaying } from '../platform/site/handle-form.ts';
import type { Query } from '../platform/http/http.ts';
import { isLanguage, LANGUAGES, type Language } from '../words/words.ts';
import { errorBeside, FieldRefusal } from '../platform/site/field-refusal.ts';
import { proveWith } from './setting-proof.ts';
import { Fixed, refuseChanged, sendSettings, Setting, SETTINGS_PATHS } from './setting.part.tsx';
import type { Http, Stall } from './stall.ts';

const PATH = SETTINGS_PATHS.mail;

/** How long the page waits for a connection to the mail server, and for each answer of the server, in milliseconds. */
const TEST_TIMEOUTS = { connect: 8_000, idle: 10_000 };

/** `GET /admin/settings/mail`: shows how the stall sends mail, and a list of the mails that it sends. */
export function showMailSettings(
  http: Http,
  owner: SessionPrincipal,
  { said, refused, typed }: FormEnd<SentForm>,
): Response {
  const w = officeOf(http, owner);
  const { stall } = http;
  const { mail } = stall.config;
  return sendSettings(
    http,
    owner,
    {
      current: 'mail',
      lead:
        mail === null ? w.mailSettings.noMailLead : w.mailSettings.lead({ host: mail.host, from: mail.from }),
      said,
      refused,
    },
    <>
      <section>
        <h2>{w.mailSettings.serverTitle}</h2>
        <Server stall={stall} owner={owner} refused={refused} typed={typed} />
        {mail !== null && (
          <Form action={`${PATH}/test`}>
            <p class="hint">{w.mailSettings.testHint({ email: owner.email })}</p>
            <Button kind="quiet">{w.mailSettings.testButton}</Button>
          </Form>
        )}
      </section>
      <section>
        <h2>{w.mailSettings.salesTitle}</h2>
        {fixedBy(w, stall, MAIL_SALES) ?? (
          <Setting action={PATH} name="sales" label={w.mailSettings.salesForm}>
            <Checkbox label={w.mailSettings.sales} name="value" checked={mail?.tellsSales ?? false} />
          </Setting>
        )}
      </section>
      <section>
        <h2>{w.mailSettings.wordsTitle}</h2>
        <Form action={`${PATH}/look`} method="get">
          <Select
            label={w.mailSettings.mail}
            name="mail"
            options={WORDS_KINDS.map((kind) => [kind, nameOf(w, kind)] as const)}
            hint={w.mailSettings.mailHint}
          />
          <LanguageSelect stall={stall} />
          <Button kind="quiet">{w.common.lookAtIt}</Button>
        </Form>
      </section>
    </>,
  );
}

const nameOf = ({ mails }: Office, kind: WordsKind): string =>
  ({ ...mails.kindNames, ...mails.moreNames })[kind];

const LanguageSelect = ({ stall, value }: { stall: Stall; value?: Language }) => {
  const w = useOffice();
  return (
    <Select
      label={w.mailSettings.language}
      name="language"
      value={value ?? stall.manifest().languages[0]}
      options={stall.manifest().languages.map((one) => [one, LANGUAGES[one]] as const)}
    />
  );
};

/** Shows a setting that an environment variable fixes; null if none does. */
function fixedBy(
  w: Office,
  { config }: Stall,
  variable: typeof SMTP_URL | typeof MAIL_FROM | typeof MAIL_SALES,
) {
  const source = setBy(config, variable);
  if (source === null) return null;
  const { mail } = config;
  const { label, value } = {
    [SMTP_URL]: { label: w.mailSettings.server, value: mail?.host },
    [MAIL_FROM]: { label: w.mailSettings.sender, value: mail?.from },
    [MAIL_SALES]: {
      label: w.mailSettings.sales,
      value: mail?.tellsSales === true ? w.mailSettings.on : w.mailSettings.off,
    },
  }[variable];
  return (
    <Fixed label={label} source={source}>
      {value}
    </Fixed>
  );
}

type ServerProps = { readonly stall: Stall; readonly owner: SessionPrincipal } & Pick<
  FormEnd<SentForm>,
  'refused' | 'typed'
>;

function Server({ stall, owner, refused, typed: sent }: ServerProps) {
  const w = useOffice();
  const typed = sent?.text('setting') === 'server' ? sent : undefined;
  const isFixed = setBy(stall.config, SMTP_URL) !== null;
  const kept = keptServer(stall);
  const ending = stall.settings.endingOf(MAIL_PASSWORD);
  const field = (name: string, present: string) => ({
    name,
    value: typed === undefined ? present : typed.text(name),
    error: errorBeside(refused, name),
  });
  return (
    <>
      {fixedBy(w, stall, SMTP_URL)}
      {fixedBy(w, stall, MAIL_FROM)}
      {(!isFixed || setBy(stall.config, MAIL_FROM) === null) && (
        <Setting
          action={PATH}
          name="server"
          label={w.mailSettings.serverTitle}
          present={presentServer(stall)}
        >
          {!isFixed && (
            <>
              <Field
                label={w.mailSettings.host}
                {...field('host', kept?.host ?? '')}
                hint={w.mailSettings.hostHint}
                autocomplete="off"
              />
              <Select
                label={w.mailSettings.encryption}
                name="encryption"
                value={(typed?.text('encryption') ?? (kept?.isTls === false ? 'starttls' : 'tls')) || 'tls'}
                options={[
                  ['tls', w.mailSettings.tls],
                  ['starttls', w.mailSettings.starttls],
                ]}
              />
              <Field
                label={w.mailSettings.port}
                {...field('port', kept?.port ?? '')}
                hint={w.mailSettings.portHint}
                inputmode="numeric"
                maxLength={5}
              />
              <Field
                label={w.mailSettings.user}
                {...field('user', kept?.user ?? '')}
                hint={w.mailSettings.userHint}
                autocomplete="off"
              />
              <Field
                label={w.mailSettings.password}
                type="password"
                autocomplete="new-password"
                {...field('secret', '')}
                value=""
                hint={ending === null ? w.mailSettings.passwordHint : w.mailSettings.keptHint({ ending })}
              />
            </>
          )}
          {setBy(stall.config, MAIL_FROM) === null && (
            <Field
              label={w.mailSettings.sender}
              type="email"
              {...field('from', stall.settings.text(variableSetting(MAIL_FROM)) ?? '')}
              hint={w.mailSettings.senderHint}
              autocomplete="off"
            />
          )}
          <ProofField proof={proofOf(stall, owner)} error={errorBeside(refused, 'proof')} />
        </Setting>
      )}
      {kept !== null && !isFixed && (
        <Form action={PATH} confirm={w.mailSettings.stopConfirm}>
          <input type="hidden" name="setting" value="server" />
          <ProofField proof={proofOf(stall, owner)} error={errorBeside(refused, 'proof')} />
          <Button kind="danger" name="act" value="stop">
            {w.mailSettings.stopButton}
          </Button>
        </Form>
      )}
    </>
  );
}

const presentServer = (stall: Stall): readonly string[] => {
  const { host = '', port = '', user = '', isTls = true } = keptServer(stall) ?? {};
  return [host, port, user, isTls ? '' : 'STARTTLS', stall.settings.text(variableSetting(MAIL_FROM)) ?? ''];
};

const keptServer = ({ settings }: Stall): KeptMailServer | null =>
  (settings.value(MAIL_SERVER) as KeptMailServer | undefined) ?? null;

/** `POST /admin/settings/mail`: saves or removes the mail server, or saves whether the owner gets a mail about each sale. */
export async function saveMailSettings(http: Http, request: Request, owner: SessionPrincipal) {
  const { stall } = http;
  return handleSentForm(
    request,
    async (form) => {
      if (form.text('setting') === 'sales') {
        const isOn = form.text('value') === 'on';
        const name = variableSetting(MAIL_SALES);
        await stall.settings.save(owner, 'mail.sales', { values: { [name]: isOn ? '1' : null } });
        return redirectSaying(PATH, 'saved');
      }
      refuseChanged(form.text('was'), presentServer(stall));
      await proveWith(http, request, owner, form);
      await stall.settings.save(
        owner,
        'mail',
        form.text('act') === 'stop' ? NO_MAIL : readServer(stall, form),
      );
      return redirectSaying(PATH, 'saved');
    },
    (end) => showMailSettings(http, owner, end),
  );
}

const NO_MAIL = { values: { [MAIL_SERVER]: null }, secrets: { [MAIL_PASSWORD]: null } };

/**
 * Reads the mail server from a form, as settings to save. Refuses, beside a field, what the environment variables would refuse.
 */
function readServer(stall: Stall, form: SentForm): NewSettings {
  const { host, port, user, secret, from } = form.trimmed('host', 'port', 'user', 'secret', 'from');
  const server: KeptMailServer = { host, port, user, isTls: form.text('encryption') !== 'starttls' };
  const isFixed = setBy(stall.config, SMTP_URL) !== null;
  if (!isFixed) refuseServer(stall, server, secret);
  const password = user === '' ? '' : secret || (stall.settings.secret(MAIL_PASSWORD) ?? '');
  const changes = { ...(isFixed ? {} : { [SMTP_URL]: smtpUrl(server, password) }), [MAIL_FROM]: from };
  readMailConfig(variablesOf(stall.config, stall.settings, changes), (problem) => {
    const [variable = '', sentence = ''] = problem.split(/: (.*)/s);
    throw new FieldRefusal(variable === MAIL_FROM ? 'from' : 'host', sentence);
  });
  const sender = setBy(stall.config, MAIL_FROM) === null ? { [variableSetting(MAIL_FROM)]: from } : {};
  if (isFixed) return { values: sender };
  const values = { [MAIL_SERVER]: server, ...sender };
  if (user !== '' && secret === '') return { values };
  return { values, secrets: { [MAIL_PASSWORD]: user === '' ? null : secret } };
}

/**
 * Refuses a server that lacks a host, or a user for a password, or has an impossible port, and the saved password for another
 * host, user or encryption than it was typed for.
 */
function refuseServer(stall: Stall, server: KeptMailServer, secret: string): void {
  const { host, port, user, isTls } = server;
  if (host === '') throw new FieldRefusal('host', new OfficeRefusal('invalid-request', (r) => r.noMailHost));
  if (port !== '' && !(/^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536))
    throw new FieldRefusal('port', new OfficeRefusal('invalid-request', (r) => r.mailPort({ port })));
  if (user === '' && secret !== '')
    throw new FieldRefusal('user', new OfficeRefusal('invalid-request', (r) => r.noMailUser));
  if (user === '' || secret !== '') return;
  const kept = keptServer(stall);
  const isSame = kept?.host === host && kept.user === user && kept.isTls === isTls;
  if (isSame && stall.settings.secret(MAIL_PASSWORD) !== null) return;
  const isNew = kept === null || isSame;
  throw new FieldRefusal(
    'secret',
    new OfficeRefusal('invalid-request', (r) => (isNew ? r.mailPasswordOfUser : r.mailPasswordElsewhere)),
  );
}

/** `POST /admin/settings/mail/test`: sends the owner a test mail or one of the stall's, and shows the server's answer. */
export async function sendTestMail(http: Http, request: Request, owner: SessionPrincipal): Promise<Response> {
  const w = officeOf(http, owner);
  const { stall } = http;
  return handleForm(
    async () => {
      const form = await readForm(request);
      const { mail } = stall.config;
      if (mail === null) throw new OfficeRefusal('invalid-request', (r) => r.noMailServer);
      const kind = WORDS_KINDS.find((one) => one === form.text('mail')) ?? null;
      const text =
        kind === null
          ? w.mailSettings.testMail
          : preview(stall, kind, readLanguage(stall, form.text('language')));
      await deliver(w, stall, mail, owner, text);
      const said = w.mailSettings.tested({ host: mail.host, email: owner.email });
      return showMailSettings(http, owner, { said });
    },
    (refused) => showMailSettings(http, owner, { refused }),
  );
}

async function deliver(
  w: Office,
  stall: Stall,
  mail: MailConfig,
  { email }: SessionPrincipal,
  { subject, text }: Readonly<Record<'subject' | 'text', string>>,
): Promise<void> {
  const senderName = (): string => stall.manifest().name;
  const { send } = createMailer({ config: mail, senderName, timeouts: TEST_TIMEOUTS });
  const messageId = `<${crypto.randomUUID()}@${mail.from.split('@').at(-1)}>`;
  const delivery = await send({ to: email, subject, text, messageId });
  if (delivery.outcome !== 'sent')
    throw new OfficeRefusal('invalid-request', (r) =>
      r.mailFailed({ host: mail.host, fault: sayFault(w, delivery.reason), said: delivery.reason }),
    );
}

/** Sentences with a remedy for failures, by patterns of the words of nodemailer, Bun or the server; the first match counts. */
const FAULTS = (w: Office): readonly (readonly [named: RegExp, sentence: string])[] => [
  [/^Invalid login|^Missing credentials/, w.mailSettings.userRefused],
  [/^Mail command failed/, w.mailSettings.senderRefused],
  [/recipients were rejected/, w.mailSettings.recipientRefused],
  [/^Message failed|^Data command failed/, w.mailSettings.mailRefused],
  [/ENOTFOUND|EAI_AGAIN|ENODATA/, w.mailSettings.noHost],
  [/ECONNREFUSED/, w.mailSettings.noAnswer],
  [/Greeting never received|Connection timeout|ETIMEDOUT/, w.mailSettings.silent],
  [/^Timeout/, w.mailSettings.fellSilent],
  [/WRONG_VERSION_NUMBER|STARTTLS|Invalid greeting/, w.mailSettings.wrongEncryption],
  [/certificate|altname/i, w.mailSettings.wrongCertificate],
  [/closed|ECONNRESET|EPIPE/i, w.mailSettings.brokeOff],
];

const sayFault = (w: Office, reason: string): string =>
  FAULTS(w).find(([named]) => named.test(reason))?.[1] ?? w.mailSettings.otherFault;

/** `GET /admin/settings/mail/look`: shows a mail with example values, as the stall would send it. */
export function showMail(http: Http, owner: SessionPrincipal, query: Query): Response {
  const w = officeOf(http, owner);
  const { stall } = http;
  const kind = WORDS_KINDS.find((one) => one === query['mail']) ?? 'claim';
  const language = readLanguage(stall, query['language'] ?? '');
  const { subject, text, file } = preview(stall, kind, language);
  return sendSettings(
    http,
    owner,
    {
      current: 'mail',
      title: nameOf(w, kind),
      lead: file === null ? w.mailSettings.standardWordsLead : w.mailSettings.ownWordsLead({ file }),
    },
    <section>
      <div lang={language}>
        <TextArea label={subject} name="text" value={text} rows={18} isFixed />
      </div>
      <Form action={`${PATH}/test`}>
        <input type="hidden" name="mail" value={kind} />
        <input type="hidden" name="language" value={language} />
        {stall.config.mail !== null && <Button kind="quiet">{w.mailSettings.sendButton}</Button>}
      </Form>
      <p>
        <a href={PATH}>{w.mailSettings.back}</a>
      </p>
    </section>,
  );
}

function preview(stall: Stall, kind: WordsKind, language: Language) {
  const title = listPublished(stall.catalog())[0]?.manifest.title ?? 'Field Notes';
  const names = { stall: stall.manifest().name, titles: [title], reason: 'refunded' } as const;
  return previewMail(kind, { language, stall: stall.manifest() }, stall.stallFiles().mails, names);
}

function readLanguage(stall: Stall, tag: string): Language {
  return isLanguage(tag) ? tag : stall.manifest().languages[0];
}
