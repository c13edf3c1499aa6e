import { Refusal } from '../refusal.ts';
import { keyVariable } from '../item/marketplace.ts';
import { parseAddress } from './address.ts';
import { type Manifests, openManifests } from './manifest.ts';
import { openSignIns } from './sign-in.ts';
import { type Dependencies, openStallClient, type StallClient } from './stall-client.ts';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../config/config.ts';

/** The context of a reader's commands: stall, key and installed items. */
export type ClientContext = Dependencies & {
  readonly manifests: Manifests;
  readonly signIns: ReturnType<typeof openSignIns>;
  /** The origin to use, or null if none is known. */
  readonly origin: () => Promise<string | null>;
  /** The stall to use. Refuses if none is known. */
  readonly stall: () => Promise<StallClient>;
  /** The variable of the environment that holds a stall's key; null if none does. */
  readonly variableOf: (url: string) => Promise<string | null>;
  /** The stall at an origin, with that stall's key. */
  readonly stallAt: (url: string) => Promise<StallClient>;
};

/**
 * `address` comes from the command line. It beats BOOKSTALL_URL, which beats the stall that served this program, which
 * beats the last sign-in. A stall's own variable beats BOOKSTALL_KEY, which beats the saved key.
 */
export function openClientContext(
  address: string | null,
  { packageStall, ...given }: Omit<Dependencies, 'program'> & { readonly packageStall: string | null },
): ClientContext {
  const program = packageStall === null ? 'bookstall' : `npx --yes ${packageStall}/client.tgz`;
  const dependencies = { ...given, program };
  const { environment } = given;
  const places = placesOf(environment);
  const signIns = openSignIns(places.config);
  const fromEnvironment = textOf(environment['BOOKSTALL_URL']);
  const named = address ?? fromEnvironment ?? packageStall;
  const origin = async (): Promise<string | null> =>
    named === null ? (await signIns.read()).current : parseAddress(named);
  const variableOf = async (url: string): Promise<string | null> => {
    const own = keyVariable(url);
    if (textOf(environment[own]) !== null) return own;
    if (textOf(environment['BOOKSTALL_KEY']) === null) return null;
    // The key of one stall must not be sent to another one.
    const keyOrigin =
      fromEnvironment === null ? (await signIns.read()).current : parseAddress(fromEnvironment);
    return keyOrigin === url ? 'BOOKSTALL_KEY' : null;
  };
  const keyFor = async (url: string): Promise<string | null> => {
    const variable = await variableOf(url);
    if (variable !== null) return checkKey(String(environment[variable]));
    const saved = (await signIns.read()).stalls[url]?.key;
    return saved === undefined ? null : checkKey(String(saved));
  };
  const stallAt = async (url: string): Promise<StallClient> =>
    openStallClient(url, await keyFor(url), dependencies);
  return {
    ...dependencies,
    manifests: openManifests(places.state),
    signIns,
    origin,
    variableOf,
    stallAt,
    async stall() {
      const url = await origin();
      if (url === null)
        throw new Refusal(
          'unauthenticated',
          'Cannot tell which stall is meant: run "bookstall login --url URL", or set BOOKSTALL_URL',
        );
      return stallAt(url);
    },
  };
}

/** The key as it is sent. Refuses a malformed one without repeating it. */
export function checkKey(text: string): string {
  const key = text.trim();
  if (/^svc_[0-9A-Za-z]{38}$/.test(key)) return key;
  throw new Refusal(
    'unauthenticated',
    'Cannot use this as an API key: a key is "svc_" and 38 letters and digits; copy it whole',
  );
}

function textOf(value: string | boolean | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The origin in the `stall.json` that a stall puts into the package it serves, or null if there is none. */
export function readPackageStall(file: URL): string | null {
  try {
    const { url } = JSON.parse(readFileSync(file, 'utf8')) as { readonly url: unknown };
    return parseAddress(String(url));
  } catch {
    return null;
  }
}

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
