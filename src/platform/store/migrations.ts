import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the SQL of all migrations, in the order of their numbers. Bun runs this as a macro at build time, so that the
 * executable contains the SQL. A macro must be in another file than its caller.
 */
export function readMigrations(): string[] {
  const folder = join(import.meta.dir, 'migrations');
  const names = readdirSync(folder).filter((name) => /^\d{3}-[a-z-]+\.sql$/.test(name));
  return names.sort().map((name) => readFileSync(join(folder, name), 'utf8'));
}
