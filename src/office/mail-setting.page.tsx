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
import { Refusal } from '../platform/base/refusal.ts';
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

/** How long the page waits for a connection to the mail server, and for each of its answers, in milliseconds. */
const TEST_TIMEOUTS = { connect: 8_000, idle: 10_000 };

/** `GET /admin/settings/mail`: shows how the stall sends mail, and every mail that it sends. */
export function showMailSettings(
  http: Http,
  owner: SessionPrincipal,
  { said, refused, typed }: FormEnd<SentForm>,
): Response {
  const { stall } = http;
  const { mail } = stall.config;
  return sendSettings(
    http,
    owner,
    {
      current: 'mail',
      lead:
        mail === null
          ? 'This stall sends no mail: you pass on its links by hand.'
          : `Mail goes out by ${mail.host}, from ${mail.from}.`,
      said,
      refused,
    },
    <>
      <section>
        <h2>Mail server</h2>
        <Server stall={stall} owner={owner} refused={refused} typed={typed} />
        {mail !== null && (
          <Form action={`${PATH}/test`}>
            <p class="hint">
              A test mail goes to {owner.email}; this page then says what the server answered.
            </p>
            <Button kind="quiet">Send me a test mail</Button>
          </Form>
        )}
      </section>
      <section>
        <h2>Mails to you</h2>
        {fixedBy(stall, MAIL_SALES) ?? (
          <Setting action={PATH} name="sales" label="Mails about sales">
            <Checkbox label="A mail about each sale" name="value" checked={mail?.tellsSales ?? false} />
          </Setting>
        )}
      </section>
      <section>
        <h2>What it sends</h2>
        <Form action={`${PATH}/look`} method="get">
          <Select
            label="Mail"
            name="mail"
            options={WORDS_KINDS.map((kind) => [kind, nameOf(kind)] as const)}
            hint="Words of your own are files in the content directory: the Handbook’s chapter “Mail and claims”."
          />
          <LanguageSelect stall={stall} />
          <Button kind="quiet">Look at it</Button>
        </Form>
      </section>
    </>,
  );
}

const nameOf = (kind: WordsKind): string =>
  kind.replaceAll('-', ' ').replace(/^./, (first) => first.toUpperCase());

const LanguageSelect = ({ stall, value }: { stall: Stall; value?: Language }) => (
  <Select
    label="Language"
    name="language"
    value={value ?? stall.manifest().languages[0]}
    options={stall.manifest().languages.map((one) => [one, LANGUAGES[one]] as const)}
  />
);

/** Shows a setting that a variable sets; null if none does. */
function fixedBy({ config }: Stall, variable: typeof SMTP_URL | typeof MAIL_FROM | typeof MAIL_SALES) {
  const source = setBy(config, variable);
  if (source === null) return null;
  const { mail } = config;
  const { label, value } = {
    [SMTP_URL]: { label: 'Server', value: mail?.host },
    [MAIL_FROM]: { label: 'Sender', value: mail?.from },
    [MAIL_SALES]: { label: 'A mail about each sale', value: mail?.tellsSales === true ? 'On' : 'Off' },
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
      {fixedBy(stall, SMTP_URL)}
      {fixedBy(stall, MAIL_FROM)}
      {(!isFixed || setBy(stall.config, MAIL_FROM) === null) && (
        <Setting action={PATH} name="server" label="Mail server" present={presentServer(stall)}>
          {!isFixed && (
            <>
              <Field
                label="Host"
                {...field('host', kept?.host ?? '')}
                hint="The outgoing (SMTP) server of your mail provider, such as smtp.example.org"
                autocomplete="off"
              />
              <Select
                label="Encryption"
                name="encryption"
                value={(typed?.text('encryption') ?? (kept?.isTls === false ? 'starttls' : 'tls')) || 'tls'}
                options={[
                  ['tls', 'TLS from the first byte: port 465'],
                  ['starttls', 'STARTTLS: port 587'],
                ]}
              />
              <Field
                label="Port"
                {...field('port', kept?.port ?? '')}
                hint="Leave it empty for 465 or 587"
                inputmode="numeric"
                maxLength={5}
              />
              <Field
                label="User"
                {...field('user', kept?.user ?? '')}
                hint="Often the whole address; empty if the server asks for none"
                autocomplete="off"
              />
              <Field
                label="Password"
                type="password"
                autocomplete="new-password"
                {...field('secret', '')}
                value=""
                hint={
                  ending === null
                    ? 'Kept encrypted, and never shown again'
                    : `Kept${ending && `; it ends with ${ending}`}. Leave it empty to keep it`
                }
              />
            </>
          )}
          {setBy(stall.config, MAIL_FROM) === null && (
            <Field
              label="Sender"
              type="email"
              {...field('from', stall.settings.text(variableSetting(MAIL_FROM)) ?? '')}
              hint="The address from which readers get mail, such as stall@example.org"
              autocomplete="off"
            />
          )}
          <ProofField proof={proofOf(stall, owner)} error={errorBeside(refused, 'proof')} />
        </Setting>
      )}
      {kept !== null && !isFixed && (
        <Form action={PATH} confirm="Buyers get no links to what they bought until you set a server again.">
          <input type="hidden" name="setting" value="server" />
          <ProofField proof={proofOf(stall, owner)} error={errorBeside(refused, 'proof')} />
          <Button kind="danger" name="act" value="stop">
            Send no mail any more
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

/** `POST /admin/settings/mail`: saves the mail server with its sender, or whether sales are told. */
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

/** Reads the mail server of a form, as it is kept. Refuses what the variables refuse, each beside its field. */
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

/** Refuses a server that cannot be, and the kept password for another server, user or encryption than it was typed for. */
function refuseServer(stall: Stall, server: KeptMailServer, secret: string): void {
  const { host, port, user, isTls } = server;
  if (host === '') throw new FieldRefusal('host', 'Cannot send mail without a server: give its name');
  if (port !== '' && !(/^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536))
    throw new FieldRefusal(
      'port',
      `Cannot reach a mail server at port "${port}": it is 465 or 587 nearly always`,
    );
  if (user === '' && secret !== '')
    throw new FieldRefusal('user', 'Cannot sign in with a password alone: give the user too');
  if (user === '' || secret !== '') return;
  const kept = keptServer(stall);
  const isSame = kept?.host === host && kept.user === user && kept.isTls === isTls;
  if (isSame && stall.settings.secret(MAIL_PASSWORD) !== null) return;
  const reason =
    kept === null || isSame
      ? 'it is needed with a user'
      : 'it would go to another server, user or encryption';
  throw new FieldRefusal('secret', `Type the password: ${reason}`);
}

/** `POST /admin/settings/mail/test`: sends the owner a mail, and says what the server answered. */
export async function sendTestMail(http: Http, request: Request, owner: SessionPrincipal): Promise<Response> {
  const { stall } = http;
  return handleForm(
    async () => {
      const form = await readForm(request);
      const { mail } = stall.config;
      if (mail === null) throw Refusal.invalid('Cannot send mail: set the mail server first');
      const kind = WORDS_KINDS.find((one) => one === form.text('mail')) ?? null;
      const text =
        kind === null ? TEST_MAIL : preview(stall, kind, readLanguage(stall, form.text('language')));
      await deliver(stall, mail, owner, text);
      const said = `${mail.host} took the mail to ${owner.email}. If it does not arrive, look among the spam, and ask its operator.`;
      return showMailSettings(http, owner, { said });
    },
    (refused) => showMailSettings(http, owner, { refused }),
  );
}

const TEST_MAIL = {
  subject: 'A test of your stall',
  text: 'This stall can send mail.\n\nNobody needs to answer.\n',
};

async function deliver(
  stall: Stall,
  mail: MailConfig,
  { email }: SessionPrincipal,
  { subject, text }: typeof TEST_MAIL,
): Promise<void> {
  const senderName = (): string => stall.manifest().name;
  const { send } = createMailer({ config: mail, senderName, timeouts: TEST_TIMEOUTS });
  const messageId = `<${crypto.randomUUID()}@${mail.from.split('@').at(-1)}>`;
  const delivery = await send({ to: email, subject, text, messageId });
  if (delivery.outcome !== 'sent')
    throw Refusal.invalid(
      `Cannot send mail by ${mail.host}: ${sayFault(delivery.reason)}. It came back as “${delivery.reason}”`,
    );
}

/** The failures that nodemailer, Bun or the server name in words of their own, each with a remedy; the first that fits counts. */
const FAULTS: readonly (readonly [named: RegExp, sentence: string])[] = [
  [/^Invalid login|^Missing credentials/, 'it refuses the user or the password'],
  [/^Mail command failed/, 'it refuses this sender; many take only the address of their user'],
  [/recipients were rejected/, 'it refuses your address'],
  [/^Message failed|^Data command failed/, 'it refuses the mail itself'],
  [/ENOTFOUND|EAI_AGAIN|ENODATA/, 'no server has this name; correct the host'],
  [/ECONNREFUSED/, 'nothing answers at this port; correct it, or the encryption'],
  [
    /Greeting never received|Connection timeout|ETIMEDOUT/,
    'it is silent; try the other encryption, or ask your host whether it blocks this port',
  ],
  [/^Timeout/, 'it fell silent in the middle of the mail; ask its operator'],
  [
    /WRONG_VERSION_NUMBER|STARTTLS|Invalid greeting/,
    'it does not speak this encryption at this port; try the other one',
  ],
  [/certificate|altname/i, 'its certificate is not for this host; give the name that its operator gives'],
  [/closed|ECONNRESET|EPIPE/i, 'it broke off; try the other encryption, or ask its operator'],
];

const sayFault = (reason: string): string =>
  FAULTS.find(([named]) => named.test(reason))?.[1] ?? 'it does not take the mail; ask its operator';

/** `GET /admin/settings/mail/look`: shows a mail with example values, as it would be sent now. */
export function showMail(http: Http, owner: SessionPrincipal, query: Query): Response {
  const { stall } = http;
  const kind = WORDS_KINDS.find((one) => one === query['mail']) ?? 'claim';
  const language = readLanguage(stall, query['language'] ?? '');
  const { subject, text, file } = preview(stall, kind, language);
  return sendSettings(
    http,
    owner,
    {
      current: 'mail',
      title: nameOf(kind),
      lead:
        file === null
          ? 'In Bookstall’s own words, with example values.'
          : `The words of ${file}, with example values.`,
    },
    <section>
      <TextArea label={subject} name="text" value={text} rows={18} isFixed />
      <Form action={`${PATH}/test`}>
        <input type="hidden" name="mail" value={kind} />
        <input type="hidden" name="language" value={language} />
        {stall.config.mail !== null && <Button kind="quiet">Send it to me</Button>}
      </Form>
      <p>
        <a href={PATH}>Back to mail</a>
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
