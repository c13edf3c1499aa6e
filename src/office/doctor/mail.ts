import { formatDuration } from '../../platform/base/duration.ts';
import { FAILED_MAIL_TIME } from '../../mailing/outbox.rule.ts';
import { counted } from '../../platform/base/text.ts';
import { valueOf } from './database-check.ts';
import { ok, type Result, skip, type Subject, warn } from './subject.ts';

/** Checks whether any mails were given up; news do not count. */
export async function examineMail({ now, serving, database }: Subject): Promise<Result> {
  const failed = serving === null ? valueOf((await database()).failedMails) : serving.countFailedMails(now());
  if (failed === undefined) return skip('The mails cannot be read');
  const time = formatDuration(FAILED_MAIL_TIME);
  return failed === 0
    ? ok(`No mail of the last ${time} was given up`)
    : warn(
        `${counted(failed, 'mail')} of the last ${time} could not be sent`,
        'Run "bookstall mail list --state failed", and "bookstall mail test" with an address of yours',
      );
}
