import type { Http as HttpOf } from '../platform/http/http.ts';
import type { Store as StoreOf } from '../platform/store/store.ts';
import type { Stall as Mailing } from '../mailing/stall.ts';
import type { Stall as Catalog } from '../catalog/stall.ts';
import type { accountReads, accountWrites } from './account.sql.ts';
import type { connectionReads, connectionWrites } from './connection.sql.ts';
import type { deviceKeyReads, deviceKeyWrites } from './device-key.sql.ts';
import type { keyReads, keyWrites } from './key.sql.ts';
import type { grantReads, grantWrites } from './grant.sql.ts';
import type { groupReads, groupWrites } from './group.sql.ts';
import type { sessionReads, sessionWrites } from './session.sql.ts';
import type { secondStepReads, secondStepWrites } from './second-step.sql.ts';
import type { linkReads, linkWrites } from './one-time-link.sql.ts';
import type { SessionPrincipal, Vouched } from '../platform/base/principal.ts';
import type { Language } from '../words/words.ts';
import type { Libraries } from './library.ts';
import type { Passwords } from './password.ts';
import type { Session } from './session.rule.ts';
import type { RateLimit } from './throttle.ts';
import type { AskedMail } from '../mailing/outbox.rule.ts';

type Reads = ReturnType<typeof accountReads> &
  ReturnType<typeof keyReads> &
  ReturnType<typeof connectionReads> &
  ReturnType<typeof deviceKeyReads> &
  ReturnType<typeof grantReads> &
  ReturnType<typeof groupReads> &
  ReturnType<typeof sessionReads> &
  ReturnType<typeof secondStepReads> &
  ReturnType<typeof linkReads>;
type Writes = ReturnType<typeof accountWrites> &
  ReturnType<typeof keyWrites> &
  ReturnType<typeof connectionWrites> &
  ReturnType<typeof deviceKeyWrites> &
  ReturnType<typeof grantWrites> &
  ReturnType<typeof groupWrites> &
  ReturnType<typeof sessionWrites> &
  ReturnType<typeof secondStepWrites> &
  ReturnType<typeof linkWrites>;

export type Stall = Mailing &
  Catalog & {
    readonly store: StoreOf<Reads, Writes>;
    readonly libraries: Libraries;
    readonly passwords: Passwords;
    readonly sessions: {
      readonly byCookie: (value: string, vouched?: Vouched | null) => SessionPrincipal | null;
      /**
       * Returns the cookie of a browser's session if a proxy signs readers in. `name` identifies the browser; `begin`
       * begins a session if the browser has none.
       */
      readonly byProxy: (name: string, address: string, begin: () => Promise<string>) => Promise<string>;
      readonly list: (accountId: string) => readonly Session[];
    };
    readonly codeGuesses: RateLimit;
    /** Whether the network `client` may have a mail of this kind sent to an address now. If so, counts the mail. */
    readonly mayAskForMail: (kind: AskedMail, address: string, client: string) => boolean;
    /**
     * Has a mail sent with a link that sets a password, makes an account (`open`) or signs in. Returns without waiting for
     * it.
     */
    readonly requestMail: (kind: 'reset' | 'open' | 'sign-in', address: string, client: MailClient) => void;
  };

/**
 * The sender of a request for a mail. `asker` is the SHA-256, in base64url, of the secret in the cookie of a browser that
 * asks to sign in.
 */
export type MailClient = {
  readonly address: string;
  readonly language: Language | null;
  readonly asker?: string;
};

export type Store = Stall['store'];

export type Records = Pick<Stall, 'store' | 'now'>;

export type Http = HttpOf<Stall>;

export type Data = Records & { readonly config: { readonly data: string } };
