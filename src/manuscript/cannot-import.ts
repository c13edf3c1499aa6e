import { quote } from '../item/problem.ts';
import { Refusal } from '../refusal.ts';

/** The refusal of a manuscript, or of one file of it; nothing was written. */
export function cannotImport(name: string, reason: string, remedy: string): Refusal {
  return new Refusal('invalid-request', `Cannot import ${quote(name)}: ${reason}; ${remedy}`);
}
