import type { MailKind, MailState } from '../../../sales/outbox.ts';

/** Each kind of mail in words. */
export const MAIL_KINDS: Readonly<Record<MailKind, string>> = {
  claim: 'Link to a purchase',
  library: 'A purchase is in the library',
  ended: 'A purchase ended',
  invite: 'Invite',
  reset: 'New password',
  open: 'Link to make an account',
  news: 'New versions',
  attention: 'Orders need you',
  sale: 'You sold something',
};

/** Each state of a mail in words. */
export const MAIL_STATES: Readonly<Record<MailState, string>> = {
  queued: 'Waiting',
  manual: 'For you to pass on',
  sent: 'Sent',
  failed: 'Failed',
  dropped: 'Not needed any more',
};
