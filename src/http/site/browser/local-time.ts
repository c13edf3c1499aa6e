import { formatInstant } from '../parts/instant.ts';

/** Writes every instant in the reader's zone; the one of UTC stays in its title. */
export function showLocalTimes(): void {
  for (const time of document.querySelectorAll('time'))
    time.textContent = formatInstant(new Date(time.dateTime), time.dataset['withTime'] === 'true', 'here');
}
