import { formatInstant } from './instant.ts';

/** An instant, given in milliseconds since 1970, as its day in UTC; the script rewrites it in the reader's zone. */
export function When({
  at,
  never = 'never',
  withTime = false,
}: {
  at: number | null;
  never?: string;
  withTime?: boolean;
}) {
  if (at === null) return <>{never}</>;
  const date = new Date(at);
  return (
    <time
      dateTime={date.toISOString()}
      title={`${formatInstant(date, true, 'UTC')} UTC`}
      data-with-time={withTime}
    >
      {formatInstant(date, withTime, 'UTC')}
      {withTime && ' UTC'}
    </time>
  );
}
