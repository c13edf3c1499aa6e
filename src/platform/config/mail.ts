import { isIP } from 'node:net';
import { isMailable } from '../base/email-address.ts';
import { parseDuration } from '../base/duration.ts';
import { isLoopback } from './local-host.ts';
import { Refusal } from '../base/refusal.ts';
import { createAttempt, type Environment, readSecretVariable } from './secret-variable.ts';

/** The server that takes the stall's mail, and the sender's address. The password is never logged or shown. */
export type MailConfig = {
  readonly host: string;
  readonly port: number;
  /**
   * `tls` encrypts from the first byte, `starttls` sends nothing without STARTTLS, `none` is only for a server on this machine.
   */
  readonly encryption: 'tls' | 'starttls' | 'none';
  readonly login: { readonly user: string; readonly password: string } | null;
  readonly from: string;
  readonly tellsSales: boolean;
  /** The pause between two mails of news, in milliseconds: many hosts limit the number of mails in an hour. */
  readonly pause: number;
};

export const SMTP_URL = 'BOOKSTALL_SMTP_URL';
export const MAIL_FROM = 'BOOKSTALL_MAIL_FROM';
export const MAIL_SALES = 'BOOKSTALL_MAIL_SALES';
const MAIL_PAUSE = 'BOOKSTALL_MAIL_PAUSE';

/**
 * Reads the settings of mail; null if neither server nor sender is set, or one has a problem. All but the switch for sales may
 * be in a file that `NAME_FILE` names. Reports each problem with its variable.
 */
export function readMailConfig(
  environment: Environment,
  report: (problem: string) => void,
): MailConfig | null {
  const attempt = createAttempt<string>(
    (name) => readSecretVariable(name, environment),
    (name, problem) => report(`${name}: ${problem}`),
  );
  const [url, sender] = [attempt(SMTP_URL, asIs), attempt(MAIL_FROM, asIs)];
  if (url === undefined || sender === undefined || (url === '' && sender === '')) return null;
  const server = attempt(SMTP_URL, () => parseServer(url));
  const from = attempt(MAIL_FROM, () => parseSender(sender));
  const tellsSales = ['1', 'true'].includes(String(environment[MAIL_SALES]));
  const pause = attempt(MAIL_PAUSE, (text) => parseDuration(text || '500ms', '1ms'));
  return server === undefined || from === undefined ? null : { ...server, from, tellsSales, pause };
}

export type KeptMailServer = {
  readonly host: string;
  readonly port: string;
  readonly isTls: boolean;
  readonly user: string;
};

export function smtpUrl({ host, port, isTls, user }: KeptMailServer, password: string): string {
  const login = user === '' ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  return `${isTls ? 'smtps' : 'smtp'}://${login}${host.includes(':') ? `[${host}]` : host}${port && `:${port}`}`;
}

const asIs = (text: string): string => text;

function parseServer(text: string): Omit<MailConfig, 'from' | 'tellsSales' | 'pause'> {
  if (text === '')
    throw refusal('Cannot send mail without a server: give one such as smtps://user:password@host:465');
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '')
    throw refusal(
      'Cannot read this address of a mail server: write it as smtps://user:password@host:465, with "%" escapes for characters such as @ / # and ? in the password',
    );
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '')
    throw refusal(
      "Cannot use a mail server's address with a path, query or fragment: leave it out; in a password write / as %2F, ? as %3F and # as %23",
    );
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (isIP(host) === 0 && !/^[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?\.?$/.test(host))
    throw refusal('Cannot use this name of a mail server: give a host name in ASCII, or an IP address');
  const isTls = url.protocol === 'smtps:';
  return {
    host,
    port: url.port === '' ? (isTls ? 465 : 587) : parsePort(url.port),
    encryption: isTls ? 'tls' : isLoopback(host) ? 'none' : 'starttls',
    login: parseLogin(url),
  };
}

function parsePort(port: string): number {
  if (port !== '0') return Number(port);
  throw refusal('Cannot reach a mail server at port 0: give its port, 465 or 587');
}

function parseLogin({ username, password }: URL): MailConfig['login'] {
  if (username === '' && password === '') return null;
  if (username === '' || password === '')
    throw refusal('Cannot sign in to a mail server with half a login: give user:password, or neither');
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    throw refusal('Cannot read the login of the mail server: write % in a user name or password as %25');
  }
}

function parseSender(text: string): string {
  if (text === '')
    throw refusal('Cannot send mail without a sender: give an address such as stall@example.org');
  if (isMailable(text) && /^\p{ASCII}+$/u.test(text)) return text;
  throw refusal(
    "Cannot send mail from this: give an address alone, such as stall@example.org; the name is the stall's",
  );
}

const refusal = Refusal.invalid;
