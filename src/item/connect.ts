import { NAMESPACE } from './edition-signature.ts';
import { keyVariable, marketplaceName } from './marketplace.ts';
import { steps as ENGLISH } from '../words/en/connect.ts';

/** An agent, and the steps that connect it to a stall. */
export type ConnectAgent = {
  readonly name: string;
  readonly title: string;
  readonly steps: (place: ConnectPlace) => readonly ConnectStep[];
};

/** All agents, in the order of the pages. No line of a step holds a key; one made for a link holds the link's token. */
export const CONNECT_AGENTS: readonly ConnectAgent[] = [
  agent('claude', 'Claude Code', { plugins: claudePlugins, skills: 'claude-code' }),
  agent('codex', 'Codex', { plugins: codexPlugins, skills: 'codex' }),
  agent('cursor', 'Cursor', { skills: 'cursor' }),
  agent('gemini', 'Gemini CLI', { skills: 'gemini-cli' }),
  agent('opencode', 'OpenCode', {}),
  agent('vscode', 'VS Code (GitHub Copilot)', { skills: 'github-copilot', client: 'copilot' }),
  { name: 'git', title: 'git', steps: gitSteps },
];

/**
 * The steps of an agent's marketplace, and its names in the programs `skills` and `bookstall`. An agent without `skills`
 * (OpenCode) takes skills by its own settings.
 */
type Names = { readonly plugins?: ConnectAgent['steps']; readonly skills?: string; readonly client?: string };

function agent(name: McpAgent, title: string, { plugins, skills: skillsName, client: own }: Names) {
  const steps: ConnectAgent['steps'] = (place) => [
    ...mcpSteps(name, place),
    ...(plugins?.(place) ?? []),
    skillsName === undefined ? openCode(place) : skills(place, skillsName),
    ...client(place, own ?? name),
  ];
  return { name, title, steps };
}

/** The names of all agents. */
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

/** Makes the step by which anyone can check who signed an item's files; its words say what that does not prove. */
export const signatureStep = (origin: string, slug: string, words = ENGLISH): ConnectStep =>
  connectStep(
    words.signature,
    `curl -fsS ${origin}/api/items/${slug}/signature -o s.sig && curl -fsS ${origin}/api/items/${slug}/signed -o s.txt && ssh-keygen -Y verify -f allowed_signers -I NAME -n ${NAMESPACE} -s s.sig < s.txt && cat s.txt`,
  );

const clientProgram = (origin: string): string => `npx --yes ${origin}/client.tgz`;

/** Writes the line that installs an item for an agent with the stall's own program. */
export const installLine = (
  origin: string,
  slug: string,
  agentName: string,
  program = clientProgram(origin),
): string => `${program} install ${slug} --url ${origin} --agent ${agentName}`;

/**
 * Makes the step that installs an item with the stall's own program, which checks each file. The program reads a key from
 * the environment or from "bookstall login", and takes no link, so there is no step for one.
 */
function client(place: ConnectPlace, name: string): readonly ConnectStep[] {
  const { origin, link, slug, isFree, program = clientProgram(origin), words = ENGLISH } = place;
  if (link !== null) return [];
  return [
    connectStep(
      isFree ? words.install : words.installWithKey({ variable: keyVariable(origin) }),
      installLine(origin, slug, name, program),
      { kept: words.noKeyKept, undo: `${program} uninstall ${slug}` },
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
  // Codex takes a marketplace by git alone, and git sends a key only to a repository that demands one.
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
 * An agent's commands for a marketplace, the files in which it keeps one, and the commands that bring a new edition. If
 * there is only one such command, the item must be installed again after it.
 */
type Marketplace = Readonly<Record<'program' | 'add' | 'remove', string>> &
  Readonly<Record<'files' | 'update', readonly string[]>>;

function plugins(
  place: ConnectPlace,
  { program, files, add, remove, update }: Marketplace,
): readonly ConnectStep[] {
  const { words = ENGLISH, isFree } = place;
  const { slug, name, shelf } = shelfOf(place);
  const isLink = place.link !== null;
  const adds = words.shelf[isFree ? 'free' : isLink ? 'link' : 'own'];
  // Told here, since the agents do not say why a marketplace has ended.
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

/** Makes the steps after which git, and each agent that starts git, finds the key. */
function keyForGit(place: ConnectPlace) {
  const { origin, link, isFree, program = clientProgram(origin), words = ENGLISH } = place;
  if (link !== null || isFree) return [];
  return [
    connectStep(words.login, `${program} login --url ${origin}`, {
      undo: `${program} logout --url ${origin}`,
    }),
    connectStep(words.git, `${program} connect git --url ${origin}`, {
      kept: words.gitKept,
      undo: `${program} connect git --undo --url ${origin}`,
    }),
  ];
}

// The agents' own commands and settings for MCP servers, each as its documentation has it. All but those of Cursor and VS
// Code were tried.

/** The agents that speak MCP, by their names in the list of agents. */
type McpAgent = keyof typeof AGENTS;

/** The server's name and address, and the variable of the key that the agent sends, or null if it sends none. */
type Server = { readonly name: string; readonly url: string; readonly key: string | null };

/** The longest name of a server: with a tool's it must have at most 64 characters. */
const LONGEST_NAME = 40;

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

/** Makes the step that connects an agent over MCP; none for a link that may not read. */
export function mcpSteps(
  agent: McpAgent,
  { origin, link, reads = false, isFree = false, words = ENGLISH }: ConnectPlace,
): readonly ConnectStep[] {
  if (link !== null && !reads) return [];
  const key = link === null && !isFree ? keyVariable(origin) : null;
  const name = marketplaceName(origin, link !== null)
    .slice(0, LONGEST_NAME)
    .replace(/-$/, '');
  const { line, ...more } = AGENTS[agent]({ name, url: `${link ?? origin}/mcp`, key });
  const does = key !== null ? words.mcpKey({ variable: key }) : isFree ? words.mcpFree : words.mcp;
  return [
    connectStep(does, line, {
      ...(agent === 'vscode' ? { file: words.vscodeFile } : {}),
      ...more,
      kept: words.serverKept[agent]({ isLink: link !== null, hasKey: key !== null }),
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
 * The target of a connection: a stall, and perhaps a link with an install token, which then replaces the stall in paths.
 * - `reads`: whether the link may also read.
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
 * One thing to run or paste. `line` is one physical line for a shell, or a text to paste into `file`. `kept` says what the
 * agent keeps and where, `undo` is the line that takes it back. `isFreeSkills` marks a step that takes only the free
 * skills of the stall.
 */
export type ConnectStep = {
  readonly does: string;
  readonly line: string;
  readonly file: string | null;
  readonly kept: string | null;
  readonly undo: string | null;
  readonly isFreeSkills: boolean;
};

/** Makes a step; `more` are the texts beside its line. */
function connectStep(does: string, line: string, more: Partial<ConnectStep> = {}): ConnectStep {
  return { does, line, file: null, kept: null, undo: null, isFreeSkills: false, ...more };
}

/** Writes curl's option for the header with the key itself, quoted for a shell. */
export const bearerOf = (key: string): string => `-H 'Authorization: Bearer ${key}' `;

/** Curl's option for the header with the key that the shell keeps in its variable BOOKSTALL_KEY. */
export const BEARER_VARIABLE = '-H "Authorization: Bearer $BOOKSTALL_KEY" ';

/** The curl commands of a stall, each one physical line to paste into a shell; `bearer` is one of the options above, or ''. */
export const curlLines = {
  install: (origin: string, bearer: string, slug: string): string =>
    `curl -fsS ${bearer}${origin}/api/install/${slug} | tar -xz`,
  zip: (origin: string, bearer: string, slug: string): string =>
    `curl -fsSOJ ${bearer}${origin}/api/skills/${slug}/download`,
  library: (origin: string, bearer: string): string => `curl -fsS ${bearer}${origin}/api/cli/library`,
  items: (origin: string): string => `curl -fsS ${origin}/api/items`,
  ask: (origin: string, bearer: string, bookId: string | null, query: string): string => {
    const body = JSON.stringify({ book_id: bookId, query }).replaceAll("'", "'\\''");
    return `curl -fsSN ${bearer}-H 'Content-Type: application/json' -d '${body}' ${origin}/api/agent/fetch`;
  },
} as const;
