import type { LogEntry } from '../../platform/base/log.ts';

/** Returns the cause of a failure from a log line about a model. */
export function causeOf(last: LogEntry | undefined): string {
  if (last === undefined) return 'it took too long, or sent something that is not an answer';
  const details = [last['status'], last['type'], last['cause']].filter((one) => one != null);
  return `${last['message']}${details.length === 0 ? '' : ` (${details.join(', ')})`}`;
}
