import { Refusal } from '../refusal.ts';
import { keyVariable } from '../item/marketplace.ts';
import { type Dependencies, openStallClient, parseAddress, type StallClient } from './stall-client.ts';
import { type Manifests, openManifests } from './manifest.ts';
import { openSignIns, type SignIns } from './sign-in.ts';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../config/config.ts';
import { didYouMean } from '../item/problem.ts';

/** The context of a reader's commands: stall, key and installed items. */
export type ClientContext = {
  readonly manifests: Manifests;
  readonly signIns: SignIns;
  /** The origin to use, or null if none is known. */
  readonly origin: () => Promise<string | null>;
  /** The variable of the environment that holds a stall's key; null if none does. */
  readonly variableOf: (url: string) => Promise<string | null>;
  readonly stallAt: (url: string) => Promise<StallClient>;
  /** The stall to use. Refuses if none is known. */
  readonly stall: () => Promise<StallClient>;
  readonly program: string;
  readonly environment: Settings;
  readonly signal: AbortSignal;
  readonly say: (sentence: string) => void;
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
  const fromEnvironment = read(environment, 'BOOKSTALL_URL') ?? null;
  const named = address ?? fromEnvironment ?? packageStall;
  const origin = async (): Promise<string | null> =>
    named === null ? (await signIns.read()).current : parseAddress(named);
  const variableOf = async (url: string): Promise<string | null> => {
    const own = keyVariable(url);
    if (read(environment, own) !== undefined) return own;
    if (read(environment, 'BOOKSTALL_KEY') === undefined) return null;
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
  /** The stall at an origin, with that stall's key. */
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
function homeOf(environment: Settings): string {
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

/**
 * The folder in which each agent looks for skills: in a project, and below the home directory for the user. Sources: the
 * agents' own pages (code.claude.com/docs/en/skills, opencode.ai/docs/skills, cursor.com/docs/context/skills,
 * developers.openai.com/codex/skills), otherwise the table of the `skills` program 1.7.4.
 */
const AGENTS: Readonly<Record<string, { readonly project: string; readonly user: string }>> = {
  agents: { project: '.agents/skills', user: '.agents/skills' },
  amp: { project: '.agents/skills', user: '.config/agents/skills' },
  claude: { project: '.claude/skills', user: '.claude/skills' },
  cline: { project: '.agents/skills', user: '.agents/skills' },
  codex: { project: '.agents/skills', user: '.agents/skills' },
  copilot: { project: '.agents/skills', user: '.copilot/skills' },
  cursor: { project: '.cursor/skills', user: '.cursor/skills' },
  gemini: { project: '.agents/skills', user: '.gemini/skills' },
  goose: { project: '.goose/skills', user: '.config/goose/skills' },
  junie: { project: '.junie/skills', user: '.junie/skills' },
  kiro: { project: '.kiro/skills', user: '.kiro/skills' },
  openclaw: { project: 'skills', user: '.openclaw/skills' },
  opencode: { project: '.opencode/skills', user: '.config/opencode/skills' },
  roo: { project: '.roo/skills', user: '.roo/skills' },
  windsurf: { project: '.windsurf/skills', user: '.codeium/windsurf/skills' },
  zed: { project: '.agents/skills', user: '.agents/skills' },
};

/** Every agent by name. */
export const AGENT_NAMES: readonly string[] = Object.keys(AGENTS);

/** Environment variables that move an agent's folder. */
const HOMES: Readonly<Record<string, string>> = { claude: 'CLAUDE_CONFIG_DIR' };

/** The folder an agent reads skills from: in the project `directory`, or the user's. Refuses an unknown agent. */
export function skillFolder(
  name: string,
  { isUser, directory, environment }: { isUser: boolean; directory: string; environment: Settings },
): string {
  const agent = Object.hasOwn(AGENTS, name) ? AGENTS[name] : undefined;
  if (agent === undefined) throw unknown(name);
  if (!isUser) return join(directory, agent.project);
  const moved = read(environment, HOMES[name] ?? '');
  return moved === undefined ? join(homeOf(environment), agent.user) : join(moved, 'skills');
}

function unknown(name: string): Refusal {
  const hint = didYouMean(name, AGENT_NAMES, `choose from ${AGENT_NAMES.join(', ')}, or give --dir DIR`);
  return Refusal.invalid(`Cannot install for "${name.slice(0, 40)}": ${hint}`);
}
