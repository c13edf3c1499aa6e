const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `20 Nov 2026`, with the time `20 Nov 2026, 14:05`; in UTC, or in the zone of this machine, which for the script is the reader's. */
export function formatInstant(instant: Date, withTime: boolean, zone: 'UTC' | 'here'): string {
  // The UTC fields of an instant moved by the zone's offset are the zone's own.
  const moved = zone === 'UTC' ? instant : new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000);
  const day = `${moved.getUTCDate()} ${MONTHS[moved.getUTCMonth()]} ${moved.getUTCFullYear()}`;
  return withTime ? `${day}, ${moved.toISOString().slice(11, 16)}` : day;
}
