import type { MailConfig } from '../../mail-config.ts';
import { createMailer } from '../../mail/mailer.ts';
import type { Stall } from '../stall.ts';
import { createCompose } from './compose.ts';
import { createOutbox } from './outbox.ts';

type Dependencies = {
  /** The server that takes mail; null if this stall sends none. */
  readonly config: MailConfig | null;
  readonly stall: Stall;
};

/** The services of mail. Nothing of it is loaded before there is a mail to send. */
export function createMailServices({ config, stall }: Dependencies) {
  const { store, origin, log, now } = stall;
  const compose = createCompose(stall);
  const send =
    config === null ? null : createMailer({ config, senderName: () => stall.manifest().name }).send;
  return { outbox: createOutbox({ store, compose, send, origin, log, now }) };
}
