import { NAMESPACE } from './edition-signature.rule.ts';
import { keyVariable, marketplaceName } from './marketplace.rule.ts';
import { steps as ENGLISH } from '../words/en/connect.ts';

export const zipAddress = (slug: string): string => `/api/skills/${slug}/download`;

/** An agent, and the steps that connect it to a stall, the recommended one first. */
export type ConnectAgent = {
  readonly name: string;
  readonly title: string;
  readonly steps: (place: ConnectPlace) => readonly ConnectStep[];
  /** Whether all steps are needed, one after the other; otherwise the first alone is enough. */
  readonly isSequence?: boolean;
};

/**
 * All agents, in the order in which pages show them. No step contains a key, but the steps for a link contain the link's
 * token.
 */
export const CONNECT_AGENTS: readonly ConnectAgent[] = [
  agent('claude', 'Claude Code', { plugins: claudePlugins, skills: 'claude-code' }),
  agent('codex', 'Codex', { plugins: codexPlugins, skills: 'codex' }),
  agent('cursor', 'Cursor', { skills: 'cursor' }),
  agent('gemini', 'Gemini CLI', { skills: 'gemini-cli' }),
  agent('opencode', 'OpenCode', {}),
  agent('vscode', 'VS Code (GitHub Copilot)', { skills: 'github-copilot', client: 'copilot' }),
  { name: 'git', title: 'git', steps: gitSteps, isSequence: true },
];

/**
 * The ways to connect an agent: the steps for its plugin marketplace, and its names in the programs `skills` and
 * `bookstall`. An agent without `skills` (OpenCode) loads skills by its own settings instead.
 */
type Names = { readonly plugins?: ConnectAgent['steps']; readonly skills?: string; readonly client?: string };

function agent(name: McpAgent, title: string, { plugins, skills: skillsName, client: own }: Names) {
  const steps: ConnectAgent['steps'] = (place) => [
    ...mcpSteps(name, place),
    skillsName === undefined ? openCode(place) : skills(place, skillsName),
    ...(plugins?.(place) ?? []),
    ...client(place, own ?? name),
  ];
  return { name, title, steps };
}

export const CONNECT_NAMES: readonly string[] = CONNECT_AGENTS.map(({ name }) => name);

/**
 * Makes the step that installs skills from well-known addresses with the program `skills`. DO_NOT_TRACK keeps that program
 * from sending link and item names to skills.sh.
 */
const skills = ({ origin, link, words = ENGLISH }: ConnectPlace, name: string): ConnectStep =>
  connectStep(
    words.skills({ isLink: link !== null }),
    `DO_NOT_TRACK=1 npx --yes skills add ${link ?? origin} --agent ${name}`,
    {
      kept: words.skillsKept({ isLink: link !== null }),
      undo: 'npx --yes skills remove',
      isFreeSkills: link === null,
    },
  );

export const signatureStep = (origin: string, slug: string, words = ENGLISH): ConnectStep =>
  connectStep(
    words.signature,
    `curl -fsS ${origin}/api/items/${slug}/signature -o s.sig && curl -fsS ${origin}/api/items/${slug}/signed -o s.txt && ssh-keygen -Y verify -f allowed_signers -I NAME -n ${NAMESPACE} -s s.sig < s.txt && cat s.txt`,
  );

const clientProgram = (origin: string): string => `npx --yes ${origin}/client.tgz`;

export const installLine = (
  origin: string,
  slug: string,
  agentName: string,
  program = clientProgram(origin),
): string => `${program} install ${slug} --url ${origin} --agent ${agentName}`;

/**
 * Makes the step that installs an item with the stall's own program, which checks each file. A link has no such step, since the
 * program takes only a key, from the environment or from "bookstall login".
 */
function client(place: ConnectPlace, name: string): readonly ConnectStep[] {
  const { origin, link, slug, isFree, program = clientProgram(origin), words = ENGLISH } = place;
  if (link !== null) return [];
  return [
    connectStep(
      isFree ? words.install : words.installWithKey({ variable: keyVariable(origin) }),
      installLine(origin, slug, name, program),
      { kept: words.noKeyKept, undo: `${program} uninstall ${slug}`, needsKey: isFree !== true },
    ),
  ];
}

function claudePlugins(place: ConnectPlace): readonly ConnectStep[] {
  const { slug, name } = shelfOf(place);
  return plugins(place, {
    program: 'claude plugin',
    files: ['~/.claude/plugins', '~/.claude/settings.json'],
    add: 'install',
    remove: 'uninstall',
    update: [`claude plugin marketplace update ${name}`, `claude plugin update ${slug}@${name}`],
  });
}

function codexPlugins(place: ConnectPlace): readonly ConnectStep[] {
  // Codex loads a marketplace only by git, and git sends a key only if the server demands one. For free items the stall
  // demands none.
  if (place.isFree) return [];
  return plugins(place, {
    program: 'codex plugin',
    files: ['~/.codex'],
    add: 'add',
    remove: 'remove',
    update: ['codex plugin marketplace upgrade'],
  });
}

/**
 * How an agent handles a marketplace: its commands, the files in which it saves a marketplace, and the commands that load a new
 * edition (`update`). If `update` is a single command, the item must be installed again after it.
 */
type Marketplace = Readonly<Record<'program' | 'add' | 'remove', string>> &
  Readonly<Record<'files' | 'update', readonly string[]>>;

function plugins(place: ConnectPlace, { program, files, add, remove, update }: Marketplace) {
  const { words = ENGLISH, isFree } = place;
  const { slug, name, shelf } = shelfOf(place);
  const isLink = place.link !== null;
  const adds = words.shelf[isFree ? 'free' : isLink ? 'link' : 'own'];
  // The step says why a marketplace may stop working, since the agents do not.
  const later = [words.newEdition({ commands: update }), ...(isFree ? [] : [words.ended({ isLink })])];
  return [
    ...keyForGit(place),
    connectStep(adds, `${program} marketplace add ${shelf}`, {
      kept: words.shelfKept({ isLink, files }),
      undo: `${program} marketplace remove ${name}`,
    }),
    connectStep(words.plugin, `${program} ${add} ${slug}@${name}`, {
      kept: later.join(' '),
      undo: `${program} ${remove} ${slug}@${name}`,
    }),
  ];
}

function shelfOf({ origin, link, slug, isFree }: ConnectPlace) {
  const shelf = `${link ?? origin}/${isFree ? 'marketplace.json' : 'shelf.git'}`;
  return { slug, name: marketplaceName(origin, link !== null), shelf };
}

function openCode({ origin, link, words = ENGLISH }: ConnectPlace): ConnectStep {
  const isLink = link !== null;
  const url = `${link ?? origin}/.well-known/agent-skills/`;
  return connectStep(words.openCode({ isLink }), JSON.stringify({ skills: { urls: [url] } }), {
    file: 'opencode.json',
    kept: words.openCodeKept({ isLink }),
    isFreeSkills: !isLink,
  });
}

function gitSteps(place: ConnectPlace): readonly ConnectStep[] {
  const { origin, link, slug, isSigned = false, words = ENGLISH } = place;
  const clone = connectStep(words.clone, `git clone ${link ?? origin}/git/${slug}.git`, {
    kept: link === null ? null : words.cloneKept,
  });
  return [...keyForGit(place), clone, ...(isSigned ? [signatureStep(origin, slug, words)] : [])];
}

/** Makes the steps that save the key for git, so that git finds it also when an agent starts it. */
function keyForGit(place: ConnectPlace) {
  const { origin, link, isFree, program = clientProgram(origin), words = ENGLISH } = place;
  if (link !== null || isFree) return [];
  return [
    connectStep(words.login, `${program} login --url ${origin}`, {
      undo: `${program} logout --url ${origin}`,
      needsKey: true,
    }),
    connectStep(words.git, `${program} connect git --url ${origin}`, {
      kept: words.gitKept,
      undo: `${program} connect git --undo --url ${origin}`,
    }),
  ];
}

// The commands and settings of the agents for MCP servers, from the documentation of each. All were tried except those
// of Cursor and VS Code.

type McpAgent = keyof typeof AGENTS;

type Server = { readonly name: string; readonly url: string; readonly key: string | null };

/** The maximum length of a server's name: together with the name of a tool it must not exceed 64 characters. */
const LONGEST_SERVER_NAME = 40;

const AGENTS = {
  claude: ({ name, url, key }: Server) => ({
    line: `claude mcp add --scope user --transport http ${name} ${url}${header(key, `Authorization: Bearer \${${key}}`)}`,
    undo: `claude mcp remove --scope user ${name}`,
  }),
  codex: ({ name, url, key }: Server) => ({
    line: `codex mcp add ${name} --url ${url}${key === null ? '' : ` --bearer-token-env-var ${key}`}`,
    undo: `codex mcp remove ${name}`,
  }),
  cursor: ({ name, url, key }: Server) => ({
    line: JSON.stringify({ mcpServers: { [name]: { url, ...bearer(key, `\${env:${key}}`) } } }),
    file: '~/.cursor/mcp.json',
  }),
  gemini: ({ name, url, key }: Server) => ({
    line: `gemini mcp add --scope user --transport http ${name} ${url}${header(key, `Authorization: Bearer $${key}`)}`,
    undo: `gemini mcp remove --scope user ${name}`,
  }),
  opencode: ({ name, url, key }: Server) => ({
    line: `opencode mcp add ${name} --url ${url}${header(key, `Authorization=Bearer {env:${key}}`)}`,
  }),
  vscode: ({ name, url, key }: Server) => ({
    line: JSON.stringify({
      ...(key === null ? {} : { inputs: [vscodeInput(name)] }),
      servers: { [name]: { type: 'http', url, ...bearer(key, `\${input:${name}-key}`) } },
    }),
  }),
} satisfies Readonly<Record<string, (server: Server) => Partial<ConnectStep> & { line: string }>>;

export function mcpSteps(
  agent: McpAgent,
  { origin, link, reads = false, isFree = false, words = ENGLISH }: ConnectPlace,
): readonly ConnectStep[] {
  if (link !== null && !reads) return [];
  const key = link === null && !isFree ? keyVariable(origin) : null;
  const name = marketplaceName(origin, link !== null)
    .slice(0, LONGEST_SERVER_NAME)
    .replace(/-$/, '');
  const { line, ...more } = AGENTS[agent]({ name, url: `${link ?? origin}/mcp`, key });
  const does = key !== null ? words.mcpKey : isFree ? words.mcpFree : words.mcp;
  return [
    connectStep(does, line, {
      ...(agent === 'vscode' ? { file: words.vscodeFile } : {}),
      ...more,
      kept: words.serverKept[agent]({ isLink: link !== null, hasKey: key !== null }),
      needsKey: key !== null,
    }),
  ];
}

const header = (key: string | null, text: string): string => (key === null ? '' : ` --header '${text}'`);

const bearer = (key: string | null, text: string) =>
  key === null ? {} : { headers: { Authorization: `Bearer ${text}` } };

function vscodeInput(name: string) {
  return { type: 'promptString', id: `${name}-key`, description: `API key of ${name}`, password: true };
}

/**
 * The stall to connect to. `link` is the address of a link with an install token, which is then used in place of
 * `origin`; else null.
 * - `reads`: whether the link also gives the right to read.
 * - `isFree`: leaves out everything that needs a key.
 * - `slug`: the item for lines that name one; `isSigned`: whether it is signed.
 * - `program`: the client's command line if it is not the stall's own.
 * - `words`: the sentences beside the lines, in English if left out.
 */
export type ConnectPlace = {
  readonly program?: string;
  readonly origin: string;
  readonly link: string | null;
  readonly reads?: boolean;
  readonly isFree?: boolean;
  readonly slug: string;
  readonly isSigned?: boolean;
  readonly words?: typeof ENGLISH;
};

/**
 * One thing to run or to paste. `line` is a single line for a shell, or a text to paste into `file`. `kept` says what
 * the agent saves and where; `undo` is the line that reverts the step. `isFreeSkills` is true for a step that loads only
 * the stall's free skills, and `needsKey` for one that asks for a key or reads it from a variable.
 */
export type ConnectStep = {
  readonly does: string;
  readonly line: string;
  readonly file: string | null;
  readonly kept: string | null;
  readonly undo: string | null;
  readonly isFreeSkills: boolean;
  readonly needsKey: boolean;
};

function connectStep(does: string, line: string, more: Partial<ConnectStep> = {}): ConnectStep {
  return { does, line, file: null, kept: null, undo: null, isFreeSkills: false, needsKey: false, ...more };
}

export const bearerOf = (key: string): string => `-H 'Authorization: Bearer ${key}' `;

export const bearerVariable = (origin: string): string =>
  `-H "Authorization: Bearer $${keyVariable(origin)}" `;

/** Prints the error sentence of a stall that refuses; with -f alone curl would swallow it. Needs curl 7.76. */
const CURL = 'curl -sS --fail-with-body';

/**
 * Writes a download into a file. If the stall refuses, the file holds the stall's error sentence: the line prints it, removes
 * the file and fails.
 */
const save = (file: string, bearer: string, address: string): string =>
  `${CURL} -o ${file} ${bearer}${address} || ! { cat ${file}; rm -f ${file}; }`;

/**
 * The curl commands of a stall, each a single line for a shell. `bearer` is from `bearerOf` or `bearerVariable`, or '' for no
 * key.
 */
export const curlLines = {
  install: (origin: string, bearer: string, slug: string): string =>
    `${save(`${slug}.tar.gz`, bearer, `${origin}/api/install/${slug}`)} && tar -xzf ${slug}.tar.gz && rm ${slug}.tar.gz`,
  zip: (origin: string, bearer: string, slug: string): string =>
    save(`${slug}.zip`, bearer, `${origin}${zipAddress(slug)}`),
  library: (origin: string, bearer: string): string => `${CURL} ${bearer}${origin}/api/cli/library`,
  items: (origin: string): string => `${CURL} ${origin}/api/items`,
  ask: (origin: string, bearer: string, bookId: string | null, query: string): string => {
    const body = JSON.stringify({ book_id: bookId, query }).replaceAll("'", "'\\''");
    return `${CURL} -N ${bearer}-H 'Content-Type: application/json' -d '${body}' ${origin}/api/agent/fetch`;
  },
} as const;
