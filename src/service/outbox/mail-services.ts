import type { MailConfig } from '../../mail-config.ts';
import { createMailer } from '../../mail/mailer.ts';
import type { Log } from '../../log.ts';
import type { StallManifest } from '../../item/stall-manifest.ts';
import type { Store } from '../../store/store.ts';
import { createCompose, type NameItem } from './compose.ts';
import { createOutbox } from './outbox.ts';

type Dependencies = {
  /** The server that takes mail; null if this stall sends none. */
  readonly config: MailConfig | null;
  readonly store: Store;
  readonly stall: () => StallManifest;
  readonly origin: () => string;
  readonly nameItem: NameItem;
  readonly log: Log;
  readonly now: () => number;
};

/** The services of mail. Nothing of it is loaded before there is a mail to send. */
export function createMailServices({ config, store, stall, origin, nameItem, log, now }: Dependencies) {
  const compose = createCompose({ store, stall, origin, nameItem, now });
  const send = config === null ? null : createMailer({ config, senderName: () => stall().name }).send;
  return { outbox: createOutbox({ store, compose, send, origin, log, now }) };
}
