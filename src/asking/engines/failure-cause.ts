import type { LogEntry } from '../../platform/base/log.ts';

export function causeOf(last: LogEntry | undefined): string {
  if (last === undefined) return 'it took too long, or sent something that is not an answer';
  const details = [last['status'], last['type'], last['cause']].filter((one) => one != null);
  return `${last['message']}${details.length === 0 ? '' : ` (${details.join(', ')})`}`;
}
