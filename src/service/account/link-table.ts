import { csvLine } from '../csv-line.ts';
import type { MintedLink } from './links.ts';

/** New accounts with their one-time links as CSV, for the owner to save and to send from. */
export function linkTable(links: readonly MintedLink[]): string {
  const rows = links.map(({ email, url, expiresAt }) => [email, url, new Date(expiresAt).toISOString()]);
  return [['email', 'link', 'expires'], ...rows].map(csvLine).join('');
}
