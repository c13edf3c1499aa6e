import { Refusal } from '../../platform/base/refusal.ts';
import { KEY_PATTERN } from '../../platform/base/key.ts';
import { keyVariable } from '../../catalog/marketplace.rule.ts';
import {
  type Dependencies,
  isPlainHttp,
  openStallClient,
  parseAddress,
  type StallClient,
} from './stall-client.ts';
import { type Manifests, openManifests } from './manifest.ts';
import { openSignIns, type SignIns } from './sign-in.ts';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../platform/config/secret-variable.ts';

export type ClientContext = Dependencies & {
  readonly manifests: Manifests;
  readonly signIns: SignIns;
  readonly origin: () => Promise<string | null>;
  /** Reports whether the reader trusts a stall already: it is the current one, or the reader signed in to it or set its key. */
  readonly knows: (url: string) => Promise<boolean>;
  readonly variableOf: (url: string) => Promise<string | null>;
  readonly stallAt: (url: string) => Promise<StallClient>;
  readonly stall: () => Promise<StallClient>;
};

/**
 * Opens the context of a reader's command. The current stall is that of `address` (from the command line), else of
 * BOOKSTALL_URL, else the one that served this program, else that of the last sign-in. Its key is in the stall's own
 * variable, else in BOOKSTALL_KEY, else the saved one.
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
  const fromEnvironment = readVariable(environment, 'BOOKSTALL_URL') ?? null;
  const named = address ?? fromEnvironment ?? packageStall;
  const origin = async (): Promise<string | null> =>
    named === null ? (await signIns.read()).current : parseAddress(named);
  const variableOf = async (url: string): Promise<string | null> => {
    const own = keyVariable(url);
    if (readVariable(environment, own) !== undefined) return own;
    if (readVariable(environment, 'BOOKSTALL_KEY') === undefined) return null;
    // BOOKSTALL_KEY is meant for one stall, and must not be sent to any other.
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
    async knows(url) {
      if (url === (await origin()) || Object.hasOwn((await signIns.read()).stalls, url)) return true;
      // The variable's name has only the stall's host, not the scheme: the key must not go to an address without https.
      return !isPlainHttp(url) && (await variableOf(url)) !== null;
    },
    variableOf,
    stallAt,
    async stall() {
      const url = await origin();
      if (url === null)
        throw Refusal.unauthenticated(
          'Cannot tell which stall is meant: run "bookstall login --url URL", or set BOOKSTALL_URL',
        );
      return stallAt(url);
    },
  };
}

/** Returns a key without surrounding white space. Refuses a malformed key, without repeating it in the message. */
export function checkKey(text: string): string {
  const key = text.trim();
  if (KEY_PATTERN.test(key)) return key;
  throw Refusal.unauthenticated(
    'Cannot use this as an API key: a key is "svc_" and 38 letters and digits; copy it whole',
  );
}

/** Returns the address of the stall that served this program, from the package's `stall.json`; null if there is none. */
export function readPackageStall(file: URL): string | null {
  try {
    const { url } = JSON.parse(readFileSync(file, 'utf8')) as { readonly url: unknown };
    return parseAddress(String(url));
  } catch {
    return null;
  }
}

export function homeOf(environment: Environment): string {
  return readVariable(environment, 'HOME') ?? readVariable(environment, 'USERPROFILE') ?? homedir();
}

/**
 * Returns the folders of a reader's files: `config` for keys, `state` for manifests. They follow the XDG Base Directory
 * Specification 0.8, Application Support on macOS and AppData on Windows; BOOKSTALL_HOME replaces both.
 */
export function placesOf(environment: Environment): { readonly config: string; readonly state: string } {
  const home = homeOf(environment);
  const own = readVariable(environment, 'BOOKSTALL_HOME');
  if (own !== undefined) return { config: own, state: own };
  const support = join(home, 'Library/Application Support/bookstall');
  const local = join(readVariable(environment, 'LOCALAPPDATA') ?? join(home, 'AppData/Local'), 'bookstall');
  const roaming = join(readVariable(environment, 'APPDATA') ?? join(home, 'AppData/Roaming'), 'bookstall');
  const systems: Readonly<Partial<Record<NodeJS.Platform, { config: string; state: string }>>> = {
    darwin: { config: support, state: support },
    win32: { config: roaming, state: local },
  };
  return (
    systems[process.platform] ?? {
      config: join(readVariable(environment, 'XDG_CONFIG_HOME') ?? join(home, '.config'), 'bookstall'),
      state: join(readVariable(environment, 'XDG_STATE_HOME') ?? join(home, '.local/state'), 'bookstall'),
    }
  );
}

export function readVariable(environment: Environment, name: string): string | undefined {
  const value = environment[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
