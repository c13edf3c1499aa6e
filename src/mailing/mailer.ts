// Sends one mail over SMTP (RFC 5321), with STARTTLS (RFC 3207) or TLS from the first byte (RFC 8314).
import { createReadStream } from 'node:fs';
import { isMailable } from '../platform/base/email-address.ts';
import type { MailConfig } from '../platform/config/mail.ts';
import { messageOf } from '../platform/base/refusal.ts';
import { oneLine } from './mail-text.ts';

/** A mail to one address, as text, or as text and HTML. Its `headers` must never come from a visitor. */
export type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly attachment?: { readonly file: string; readonly name: string; readonly type: string };
  readonly messageId: string;
  readonly language?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the mail is one of many, such as news. Such mails are sent one after the other over one connection. */
  readonly isBulk?: boolean;
};

/**
 * The outcome of sending a mail. `outcome` is 'sent' if the server accepted it, 'later' if the server may accept it later,
 * 'never' if it can never be sent. `reason` contains no secret.
 */
export type MailOutcome =
  { readonly outcome: 'sent' } | { readonly outcome: 'later' | 'never'; readonly reason: string };

export type SendMail = (mail: Mail) => Promise<MailOutcome>;

/** How long to wait for a connection, and for each answer on it, in milliseconds. */
export type Timeouts = { readonly connect: number; readonly idle: number };

const TIMEOUTS: Timeouts = { connect: 10_000, idle: 30_000 };

type Dependencies = {
  readonly config: MailConfig;
  readonly senderName: () => string;
  readonly ca?: string;
  readonly timeouts?: Timeouts;
};

export function createMailer({ config, senderName, ca, timeouts = TIMEOUTS }: Dependencies) {
  const connect = async (more: object = {}) => {
    const { createTransport } = await import('nodemailer');
    return createTransport({ ...transportOptions(config, ca, timeouts), ...more }, NO_FILES);
  };
  let pool: ReturnType<typeof connect> | null = null;
  const send: SendMail = async ({ to, attachment, language, headers, isBulk, ...mail }) => {
    if (!isMailable(to)) return { outcome: 'never', reason: 'the address cannot be mailed' };
    const content = attachment && createReadStream(attachment.file);
    // A file that vanishes before it is sent must fail this mail, not the program.
    content?.on('error', () => {});
    try {
      const transport = isBulk ? await (pool ??= connect(POOL)) : await connect(content && EXAMINED);
      await transport.sendMail({
        // Addresses are objects: in a string, nodemailer reads several addresses, and after a line break another header.
        envelope: { from: config.from, to: [to] },
        from: { name: oneLine(senderName()), address: config.from },
        to: { name: '', address: to },
        subject: oneLine(mail.subject, Infinity),
        text: mail.text,
        html: mail.html,
        messageId: mail.messageId,
        attachments: content ? [{ content, filename: attachment.name, contentType: attachment.type }] : [],
        headers: {
          // Prevents automatic replies, such as holiday notes (RFC 3834 §5).
          'Auto-Submitted': 'auto-generated',
          ...(language ? { 'Content-Language': language } : {}),
          ...headers,
        },
      });
      return { outcome: 'sent' };
    } catch (error) {
      return { outcome: isFinal(error) ? 'never' : 'later', reason: reasonOf(error, config.login) };
    } finally {
      content?.destroy();
    }
  };
  return {
    send,
    /** Connects and signs in, but sends nothing. Returns null if this works, else the reason. */
    async greet(): Promise<string | null> {
      try {
        await (await connect()).verify();
        return null;
      } catch (error) {
        return reasonOf(error, config.login);
      }
    },
  };
}

export function createSender(
  config: () => MailConfig | null,
  senderName: () => string,
): () => SendMail | null {
  let made: { readonly of: MailConfig; readonly send: SendMail } | null = null;
  return () => {
    const present = config();
    if (present === null) return null;
    if (made?.of !== present)
      made = { of: present, send: createMailer({ config: present, senderName }).send };
    return made.send;
  };
}

/** The options of the one connection that many mails share. It is closed after a second without a mail. */
const POOL = { pool: true, maxConnections: 1, idleTimeout: 1000 } as const;

/**
 * How long to wait for the answer to a mail with a file, which the server may examine first, in milliseconds. RFC 5321
 * §4.5.3.2.6 allows ten minutes, but a stall that is stopped waits as well.
 */
const EXAMINED = { socketTimeout: 60_000 } as const;

const NO_FILES = { disableFileAccess: true, disableUrlAccess: true } as const;

function transportOptions(
  { host, port, encryption, login, from }: MailConfig,
  ca: string | undefined,
  timeouts: Timeouts,
) {
  return {
    host,
    port,
    secure: encryption === 'tls',
    requireTLS: encryption === 'starttls',
    ignoreTLS: encryption === 'none',
    // The name for greeting the mail server: the sender's domain instead of this machine's name.
    name: from.slice(from.lastIndexOf('@') + 1),
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
    ...(ca === undefined ? {} : { tls: { ca } }),
    connectionTimeout: timeouts.connect,
    greetingTimeout: timeouts.connect,
    dnsTimeout: timeouts.connect,
    socketTimeout: timeouts.idle,
    ...NO_FILES,
  };
}

/**
 * Reports whether the server refused this mail itself for good. A failed login or a missing STARTTLS does not count, since the
 * owner can fix it.
 */
function isFinal(error: unknown): boolean {
  const { code, responseCode = 0 } = error as Failure;
  return MAIL_FAULTS.has(code) && responseCode >= 500 && responseCode < 600 && responseCode !== LOGIN_NEEDED;
}

type Failure = { readonly code?: string; readonly responseCode?: number };

const MAIL_FAULTS: ReadonlySet<unknown> = new Set(['EENVELOPE', 'EMESSAGE']);

/** The reply code for a missing login (RFC 4954 §6). */
const LOGIN_NEEDED = 530;

/** Returns the reason of an error without secrets: a spam filter may quote the links in a mail, and a server the login. */
function reasonOf(error: unknown, login: MailConfig['login']): string {
  const { user, password } = login ?? { user: '', password: '' };
  const sent = [`\0${user}\0${password}`, password].map((text) => Buffer.from(text).toString('base64'));
  const secrets = login === null ? [] : [...sent, password];
  const reason = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), messageOf(error));
  return oneLine(reason.replaceAll(SECRET, '…'), 200);
}

/** Matches a run of characters, such as part of a link, that is long enough to be a secret. */
const SECRET = /[A-Za-z0-9_-]{32,}/g;
