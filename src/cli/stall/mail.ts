import { createMailer } from '../../mail/mailer.ts';
import { readMailConfig } from '../../config/mail.ts';
import { Refusal } from '../../refusal.ts';
import type { MailState } from '../../sales/outbox.ts';
import { pagedMails, type PlacedMail, repeatMail } from '../../service/mails.ts';
import { type Command, iso, UsageError, refuse, command } from '../command.ts';
import { adminCommand } from './admin-command.ts';

const STATES = ['queued', 'manual', 'sent', 'failed', 'dropped'] as const;

export const mailCommands: readonly Command[] = [
  adminCommand({
    name: 'mail list',
    synopsis: '[--state STATE]',
    summary: 'List mails, the newest first; a manual one waits for you to copy its link',
    async run(office, input, terminal) {
      const state = readState(input.text('state'));
      const found = (await Array.fromAsync(pagedMails(office, state).all())).flat();
      terminal.list(found.map(show), 'No mail yet.');
    },
  }),
  adminCommand({
    name: 'mail send',
    synopsis: 'N',
    summary: 'Queue a mail once more; the running server sends it',
    async run(office, input, terminal) {
      const [text = ''] = input.words;
      if (!/^[1-9]\d{0,14}$/.test(text)) throw new UsageError(`Cannot find mail "${text}": give its number`);
      const { id, address } = await repeatMail(office, 'command', Number(text));
      terminal.result({ id, to: address }, `Mail ${id} to ${address} is sent within half a minute`);
    },
  }),
  command({
    name: 'mail test',
    synopsis: 'ADDRESS',
    summary:
      'Send a mail of two lines with the settings of the environment, and say what the server answered',
    async run(input, terminal) {
      const [to = ''] = input.words;
      const config = readMailConfig(terminal.environment, refuse);
      if (config === null)
        throw Refusal.invalid('Cannot send mail: set BOOKSTALL_SMTP_URL and BOOKSTALL_MAIL_FROM');
      const delivery = await createMailer({ config, senderName: () => 'Bookstall' }).send({
        to,
        subject: 'A test of your stall',
        text: 'This stall can send mail.\n\nNobody needs to answer.\n',
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
];

function readState(text: string | null): MailState | null {
  const state = STATES.find((one) => one === text) ?? null;
  if (text === null || state !== null) return state;
  throw new UsageError(`Cannot list mail that is "${text}": give ${STATES.join(', ')}`);
}

function show({ id, orderId, kind, address, state, tries, nextAt }: PlacedMail) {
  return { id, order: orderId, kind, to: address, state, tries, next: iso(nextAt) };
}
