import { dirname, join } from 'node:path';
import { readStall } from '../catalog/stall-edition.ts';
import { readSetting } from '../platform/config/config.ts';
import { mailFile, ourMailFile, previewMail, WORDS_KINDS } from '../mailing/mail-text.ts';
import { createMailer } from '../mailing/mailer.ts';
import { readMailConfig } from '../platform/config/mail.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { MAIL_STATES, type MailState } from '../mailing/outbox.rule.ts';
import { pagedMails, type PlacedMail, repeatMail } from './mails.ts';
import { removeSubscriber } from './subscriber.ts';
import { type Language, OFFERED } from '../words/words.ts';
import { iso, UsageError, refuse, command, type Input, type Output } from '../platform/cli/command.ts';
import { type AdminCommand, adminCommand } from '../platform/cli/admin-command.ts';
import type { Store } from './stall.ts';
import { settings } from '../platform/cli/settings.ts';
import { readRowId } from '../platform/base/text.ts';

type FindTitle = (content: string) => string | undefined;

export const mailCommands = (findTitle: FindTitle): readonly AdminCommand<Store>[] => [
  adminCommand({
    name: 'mail list',
    summary: 'List mails, the newest first',
    about: 'A manual one waits for you to copy its link in the office.',
    flags: { '--state STATE': 'queued, manual, sent, failed or dropped' },
    examples: ['bookstall mail list --state failed'],
    run(office, input, terminal) {
      const state = readState(input.text('state'));
      const found = [...pagedMails(office, state).all()].flat();
      terminal.list(found.map(show), 'No mail yet.');
    },
  }),
  adminCommand({
    name: 'mail send',
    synopsis: 'ID',
    summary: 'Queue a mail once more; the running server sends it',
    examples: ['bookstall mail send 5'],
    async run(office, input, terminal) {
      const [text = ''] = input.words;
      const number = readRowId(text);
      if (number === null) throw new UsageError(`Cannot find mail "${text}": give its number`);
      const { id, address } = await repeatMail(office, 'command', number);
      terminal.result({ id, to: address }, `Mail ${id} to ${address} is sent within half a minute`);
    },
  }),
  () =>
    command({
      name: 'mail preview',
      synopsis: 'MAIL',
      summary: 'Show a mail with example values',
      flags: {
        '--language TAG': 'its language, such as de',
        '--template': 'print our words for it, as a file to change',
        ...settings('content'),
      },
      examples: ['bookstall mail preview claim --template > content/mails/claim.md'],
      run(input, terminal) {
        const { path, template, fields, ...mail } = preview(input, terminal, input.word, findTitle);
        const tag = input.text('language');
        const which = `${input.word}${tag === null ? '' : ` --language ${tag}`}`;
        const ours = `These are Bookstall's words: ${path} is not there, or "bookstall check" says what is wrong with it.\nTo begin it: mkdir -p ${dirname(path)} && bookstall mail preview ${which} --template > ${path}`;
        if (input.has('template')) return terminal.result({ path, template }, template.trimEnd());
        terminal.result(mail, `Subject: ${mail.subject}\n\n${mail.text}`);
        terminal.err(`${mail.file === null ? ours : `The words of ${path}`}\n`);
        for (const [name, [what]] of fields) terminal.err(`  {{${name}}} ${what}\n`);
      },
    }),
  () =>
    command({
      name: 'mail test',
      synopsis: 'ADDRESS',
      summary: 'Send a test mail, and say what the server answered',
      flags: {
        '--kind MAIL': 'one of your mails, such as claim',
        '--language TAG': 'its language, such as de',
        ...settings('content'),
      },
      examples: ['bookstall mail test you@example.org'],
      async run(input, terminal) {
        const [to = ''] = input.words;
        const name = input.text('kind');
        const { subject, text } = name === null ? TEST_MAIL : preview(input, terminal, name, findTitle);
        const { stall } = readStall(readSetting('content', input.flags, terminal.environment));
        const config = readMailConfig(terminal.environment, refuse);
        if (config === null)
          throw Refusal.invalid('Cannot send mail: set BOOKSTALL_SMTP_URL and BOOKSTALL_MAIL_FROM');
        const delivery = await createMailer({ config, senderName: () => stall.name }).send({
          to,
          subject,
          text,
          messageId: `<${crypto.randomUUID()}@${config.from.split('@').at(-1)}>`,
        });
        const isSent = delivery.outcome === 'sent';
        const sentence = isSent
          ? `${config.host} took the mail to ${to}`
          : `Cannot send mail: ${delivery.reason}`;
        terminal.result({ to, ...delivery }, sentence);
        return isSent;
      },
    }),
  adminCommand({
    name: 'news remove',
    synopsis: 'ADDRESS',
    summary: 'Erase an address that asked for news without an account',
    about: 'Its mails lose the address too. For an account there is "account remove".',
    examples: ['bookstall news remove ada@example.org'],
    async run(office, input, terminal) {
      const removed = await removeSubscriber(office, 'command', input.word);
      terminal.result({ removed }, 'Erased the address and its mails; nothing is sent to it');
    },
  }),
];

const TEST_MAIL = {
  subject: 'A test of your stall',
  text: 'This stall can send mail.\n\nNobody needs to answer.\n',
};

/**
 * Makes a mail with example values about an item in the content directory. `template` is Bookstall's own text for such
 * mails.
 */
function preview(input: Input<'language'>, { environment }: Output, name: string, findTitle: FindTitle) {
  const kind = WORDS_KINDS.find((one) => one === name);
  if (kind === undefined)
    throw new UsageError(`Cannot find a mail "${name}": give one of ${WORDS_KINDS.join(', ')}`);
  const content = readSetting('content', input.flags, environment);
  const { stall, mails } = readStall(content);
  const title = findTitle(content) ?? 'Field Notes';
  const names = { stall: stall.name, titles: [title], reason: 'refunded' } as const;
  const [first] = stall.languages;
  const language = readLanguage(input) ?? first;
  const mail = previewMail(kind, { language, stall }, mails, names);
  const path = join(content, language === first ? mailFile(kind) : mailFile(kind, language));
  return { ...mail, path, template: ourMailFile(kind, language) };
}

function readLanguage(input: Input<'language'>): Language | null {
  const text = input.text('language');
  const language = OFFERED.find((one) => one === text) ?? null;
  if (text === null || language !== null) return language;
  throw new UsageError(`Cannot write mails in "${text}": give one of ${OFFERED.join(', ')}`);
}

function readState(text: string | null): MailState | null {
  const state = MAIL_STATES.find((one) => one === text) ?? null;
  if (text === null || state !== null) return state;
  throw new UsageError(`Cannot list mail that is "${text}": give ${MAIL_STATES.join(', ')}`);
}

function show({ id, orderId, kind, address, state, tries, nextAt }: PlacedMail) {
  return { id, order: orderId, kind, to: address, state, tries, next: iso(nextAt) };
}
