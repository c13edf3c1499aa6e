import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../config.ts';

/** The reader's home directory. */
export function homeOf(environment: Settings): string {
  return read(environment, 'HOME') ?? read(environment, 'USERPROFILE') ?? homedir();
}

/**
 * The folders of a reader's files: `config` for keys, `state` for manifests. Follows the XDG Base Directory Specification
 * 0.8, Application Support on macOS and AppData on Windows; BOOKSTALL_HOME replaces both.
 */
export function placesOf(environment: Settings): { readonly config: string; readonly state: string } {
  const home = homeOf(environment);
  const own = read(environment, 'BOOKSTALL_HOME');
  if (own !== undefined) return { config: own, state: own };
  const support = join(home, 'Library/Application Support/bookstall');
  const local = join(read(environment, 'LOCALAPPDATA') ?? join(home, 'AppData/Local'), 'bookstall');
  const roaming = join(read(environment, 'APPDATA') ?? join(home, 'AppData/Roaming'), 'bookstall');
  const systems: Readonly<Partial<Record<NodeJS.Platform, { config: string; state: string }>>> = {
    darwin: { config: support, state: support },
    win32: { config: roaming, state: local },
  };
  return (
    systems[process.platform] ?? {
      config: join(read(environment, 'XDG_CONFIG_HOME') ?? join(home, '.config'), 'bookstall'),
      state: join(read(environment, 'XDG_STATE_HOME') ?? join(home, '.local/state'), 'bookstall'),
    }
  );
}

function read(environment: Settings, name: string): string | undefined {
  const value = environment[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
