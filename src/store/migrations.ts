import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The texts of all migrations, by their numbers. Run as a macro, so that the executable holds them: Bun runs no macro of the file that calls it. */
export function readMigrations(): string[] {
  const folder = join(import.meta.dir, 'migrations');
  const names = readdirSync(folder).filter((name) => /^\d{3}-[a-z-]+\.sql$/.test(name));
  return names.sort().map((name) => readFileSync(join(folder, name), 'utf8'));
}
