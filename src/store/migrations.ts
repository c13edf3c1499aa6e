import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the texts of all migrations, in the order of their numbers. Runs as a macro, so that the executable holds the texts.
 * It needs a file of its own, since Bun runs no macro of the file that calls it.
 */
export function readMigrations(): string[] {
  const folder = join(import.meta.dir, 'migrations');
  const names = readdirSync(folder).filter((name) => /^\d{3}-[a-z-]+\.sql$/.test(name));
  return names.sort().map((name) => readFileSync(join(folder, name), 'utf8'));
}
