import type { SessionPrincipal } from '../platform/base/principal.ts';
import { ToldRefusal } from '../platform/base/told.ts';
import { addReport } from '../reading/report.ts';
import { findAskable } from './ask.ts';
import { isTooLong, LONGEST_QUESTION } from './question-words.rule.ts';
import type { Stall } from './stall.ts';

export async function reportQuestion(stall: Stall, asker: SessionPrincipal, slug: string, asked: string) {
  const { manifest, digest: edition } = (await findAskable(stall, asker, slug)).edition;
  const [text, bookId] = [asked.toWellFormed().trim(), manifest.id ?? ''];
  if (text === '' || isTooLong(text))
    throw new ToldRefusal('invalid-request', (r) => r.reading.reports.noQuestion({ most: LONGEST_QUESTION }));
  const nowhere = { path: '', start: 0, exact: '', prefix: '', suffix: '', alike: 0 };
  const place = { edition, placedIn: edition, placedPath: '', placedStart: null };
  await addReport(stall, { accountId: asker.accountId, bookId, text, ...nowhere, ...place }, '');
}
