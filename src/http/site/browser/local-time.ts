import { formatInstant } from '../parts/when.tsx';

/** Rewrites every instant in the reader's zone; its title keeps UTC. */
export function showLocalTimes(): void {
  for (const time of document.querySelectorAll('time'))
    time.textContent = formatInstant(new Date(time.dateTime), time.dataset['withTime'] === 'true', 'here');
}
