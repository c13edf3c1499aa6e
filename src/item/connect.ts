import { NAMESPACE } from './edition-signature.ts';
import { keyVariable, marketplaceName } from './marketplace.ts';

/** An agent with its steps. */
export type ConnectAgent = {
  readonly name: string;
  readonly title: string;
  readonly steps: (place: ConnectPlace) => readonly ConnectStep[];
};

/** Every agent, in the order of the pages. No line holds a key; one made for a link holds its token. */
export const CONNECT_AGENTS: readonly ConnectAgent[] = [
  agent('claude', 'Claude Code', { plugins: claudePlugins, skills: 'claude-code' }),
  agent('codex', 'Codex', { plugins: codexPlugins, skills: 'codex' }),
  agent('cursor', 'Cursor', { skills: 'cursor' }),
  agent('gemini', 'Gemini CLI', { skills: 'gemini-cli' }),
  agent('opencode', 'OpenCode', {}),
  agent('vscode', 'VS Code (GitHub Copilot)', { skills: 'github-copilot', client: 'copilot' }),
  { name: 'git', title: 'git', steps: gitSteps },
];

/** The marketplace of an agent, its names in the programs `skills` and `bookstall`; OpenCode takes skills by its own settings. */
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

/** The sentence that a page shows beside each link. */
export const LINK_WARNING =
  'Anyone who has this link takes these items as you. It ends in lock files and settings; do not commit it.';

/** Skills at well-known addresses. That client sends link and item names to skills.sh unless this is switched off. */
const skills = ({ origin, link }: ConnectPlace, name: string): ConnectStep =>
  connectStep(
    link === null
      ? 'Installs the free skills, without a key.'
      : 'Installs all that the link opens, without git.',
    `DO_NOT_TRACK=1 npx --yes skills add ${link ?? origin} --agent ${name}`,
    {
      kept: `${link === null ? 'The address' : 'The link'} is kept in the project’s skills-lock.json; “npx skills update” goes by it. Programs in a skill lose their executable bit; git keeps it.`,
      undo: 'npx --yes skills remove',
      isFreeSkills: link === null,
    },
  );

/** How anyone can check who signed an item's files, and what that does not prove. */
export const signatureStep = (origin: string, slug: string): ConnectStep =>
  connectStep(
    'Checks the signed text, and shows a good one. “allowed_signers” holds the publisher’s NAME and key, as the publisher told you, not this stall; slug and digest must be those of your files. A client that was not taken from this stall does the same at each install and update; one from this stall is only as true as the stall on that day. Git, marketplaces and other clients do not check.',
    `curl -fsS ${origin}/api/items/${slug}/signature -o s.sig && curl -fsS ${origin}/api/items/${slug}/signed -o s.txt && ssh-keygen -Y verify -f allowed_signers -I NAME -n ${NAMESPACE} -s s.sig < s.txt && cat s.txt`,
  );

const clientProgram = (origin: string): string => `npx --yes ${origin}/client.tgz`;

/** The line that installs an item for an agent with the stall's own program. */
export const installLine = (
  origin: string,
  slug: string,
  agentName: string,
  program = clientProgram(origin),
): string => `${program} install ${slug} --url ${origin} --agent ${agentName}`;

/** The stall's own program, which checks each file; it reads a key from the environment or from "bookstall login", and takes no link. */
function client(place: ConnectPlace, name: string): readonly ConnectStep[] {
  const { origin, link, slug, isFree, program = clientProgram(origin) } = place;
  if (link !== null) return [];
  const paid = `. A paid one needs your key in the variable ${keyVariable(origin)}`;
  return [
    connectStep(
      `Installs one item, each file checked${isFree ? '' : paid}.`,
      installLine(origin, slug, name, program),
      { kept: 'No key is kept.', undo: `${program} uninstall ${slug}` },
    ),
  ];
}

function claudePlugins(place: ConnectPlace): readonly ConnectStep[] {
  const { slug, name } = shelfOf(place);
  return plugins(place, {
    program: 'claude plugin',
    shelfIn: '~/.claude/plugins and ~/.claude/settings.json',
    add: 'install',
    remove: 'uninstall',
    update: `“claude plugin marketplace update ${name}” and then “claude plugin update ${slug}@${name}”`,
  });
}

function codexPlugins(place: ConnectPlace): readonly ConnectStep[] {
  // Codex takes a marketplace by git alone, and git sends a key only to a repository that demands one.
  if (place.isFree) return [];
  return plugins(place, {
    program: 'codex plugin',
    shelfIn: '~/.codex',
    add: 'add',
    remove: 'remove',
    update: '“codex plugin marketplace upgrade” and then this line again',
  });
}

function plugins(
  place: ConnectPlace,
  {
    program,
    shelfIn,
    add,
    remove,
    update,
  }: Readonly<Record<'program' | 'shelfIn' | 'add' | 'remove' | 'update', string>>,
): readonly ConnectStep[] {
  const { slug, name, shelf } = shelfOf(place);
  const kept = place.link === null ? 'The address is kept, and no key,' : 'The link is kept';
  return [
    ...keyForGit(place),
    connectStep(addsShelf(place), `${program} marketplace add ${shelf}`, {
      kept: `${kept} in ${shelfIn}.`,
      undo: `${program} marketplace remove ${name}`,
    }),
    connectStep('Installs one item from it.', `${program} ${add} ${slug}@${name}`, {
      kept: `A new edition comes with ${update}.${ended(place)}`,
      undo: `${program} ${remove} ${slug}@${name}`,
    }),
  ];
}

function shelfOf({ origin, link, slug, isFree }: ConnectPlace) {
  const shelf = `${link ?? origin}/${isFree ? 'marketplace.json' : 'shelf.git'}`;
  return { slug, name: marketplaceName(origin, link !== null), shelf };
}

function addsShelf({ link, isFree }: ConnectPlace): string {
  const what = isFree
    ? 'the free items'
    : link === null
      ? 'all that you may take'
      : 'all that the link opens';
  return `Adds ${what} as a marketplace of plugins.`;
}

/** The agents do not say why. */
function ended({ link, isFree }: ConnectPlace): string {
  if (isFree) return '';
  return ` If it is “not found in marketplace” later, ${link === null ? 'your grant for it has ended' : 'the link no longer opens it'}.`;
}

function openCode({ origin, link }: ConnectPlace): ConnectStep {
  const url = `${link ?? origin}/.well-known/agent-skills/`;
  return connectStep(
    link === null ? 'Adds the free skills.' : 'Adds all that the link opens.',
    JSON.stringify({ skills: { urls: [url] } }),
    {
      file: 'opencode.json',
      kept: `${link === null ? 'The address' : 'The link'} is kept in that file.`,
      isFreeSkills: link === null,
    },
  );
}

function gitSteps(place: ConnectPlace): readonly ConnectStep[] {
  const { origin, link, slug, isSigned = false } = place;
  const clone = connectStep('Clones one item.', `git clone ${link ?? origin}/git/${slug}.git`, {
    kept: link === null ? null : 'The link is kept in the clone’s .git/config.',
  });
  return [...keyForGit(place), clone, ...(isSigned ? [signatureStep(origin, slug)] : [])];
}

/** The steps after which git, and each agent that starts git, finds the key. */
function keyForGit({ origin, link, isFree, program = `npx --yes ${origin}/client.tgz` }: ConnectPlace) {
  if (link !== null || isFree) return [];
  return [
    connectStep(
      'Asks for your key and keeps it in a file that only you can read.',
      `${program} login --url ${origin}`,
      { undo: `${program} logout --url ${origin}` },
    ),
    connectStep(
      'Lets git, and what starts git, ask that file for the key, for this stall alone.',
      `${program} connect git --url ${origin}`,
      {
        kept: 'git’s own configuration names the program, and holds no key.',
        undo: `${program} connect git --undo --url ${origin}`,
      },
    ),
  ];
}

// The agents' own commands and settings for MCP servers, each as its documentation has it; tried with all but Cursor and VS Code.

/** The agents that speak MCP, by their names in the list of agents. */
type McpAgent = keyof typeof AGENTS;

/** The parts of a connectStep: the server's name and address, and the variable of the key that the agent sends, if it sends one. */
type Server = { readonly name: string; readonly url: string; readonly key: string | null };

/** The longest name: with a tool's it must have at most 64 characters. */
const LONGEST_NAME = 40;

const AGENTS = {
  claude: ({ name, url, key }: Server) => ({
    line: `claude mcp add --scope user --transport http ${name} ${url}${header(key, `Authorization: Bearer \${${key}}`)}`,
    kept: 'in ~/.claude.json',
    undo: `claude mcp remove --scope user ${name}`,
  }),
  codex: ({ name, url, key }: Server) => ({
    line: `codex mcp add ${name} --url ${url}${key === null ? '' : ` --bearer-token-env-var ${key}`}`,
    kept: 'in ~/.codex/config.toml',
    undo: `codex mcp remove ${name}`,
  }),
  cursor: ({ name, url, key }: Server) => ({
    line: JSON.stringify({ mcpServers: { [name]: { url, ...bearer(key, `\${env:${key}}`) } } }),
    file: '~/.cursor/mcp.json',
    kept: 'in that file',
  }),
  gemini: ({ name, url, key }: Server) => ({
    line: `gemini mcp add --scope user --transport http ${name} ${url}${header(key, `Authorization: Bearer $${key}`)}`,
    kept: 'in ~/.gemini/settings.json, for folders that you trust',
    undo: `gemini mcp remove --scope user ${name}`,
  }),
  opencode: ({ name, url, key }: Server) => ({
    line: `opencode mcp add ${name} --url ${url}${header(key, `Authorization=Bearer {env:${key}}`)}`,
    kept: 'in ~/.config/opencode/opencode.jsonc, where you also take it out',
  }),
  vscode: ({ name, url, key }: Server) => ({
    line: JSON.stringify({
      ...(key === null ? {} : { inputs: [vscodeInput(name)] }),
      servers: { [name]: { type: 'http', url, ...bearer(key, `\${input:${name}-key}`) } },
    }),
    file: 'mcp.json, which “MCP: Open User Configuration” opens',
    kept: 'in that file; VS Code asks for the key and keeps it in its secret storage',
  }),
} satisfies Readonly<
  Record<string, (server: Server) => Partial<ConnectStep> & { line: string; kept: string }>
>;

/** The connectStep that connects an agent over MCP; none by a link that may not read. */
export function mcpSteps(
  agent: McpAgent,
  { origin, link, reads = false, isFree = false }: ConnectPlace,
): readonly ConnectStep[] {
  if (link !== null && !reads) return [];
  const key = link === null && !isFree ? keyVariable(origin) : null;
  const name = marketplaceName(origin, link !== null)
    .slice(0, LONGEST_NAME)
    .replace(/-$/, '');
  const { line, kept, ...more } = AGENTS[agent]({ name, url: `${link ?? origin}/mcp`, key });
  const what = `The ${link === null ? 'address' : 'link'} is kept ${kept}`;
  return [
    connectStep(`Lets it search, read and ask here, over MCP${suffix(key, isFree)}.`, line, {
      ...more,
      kept:
        key === null
          ? `${what}.`
          : `${what}, with the name of the variable and no key. Without the header it works too, for free items.`,
    }),
  ];
}

function suffix(key: string | null, isFree: boolean): string {
  if (key !== null) return `, with your key in the variable ${key}`;
  return isFree ? '; to ask, it needs your key' : '';
}

const header = (key: string | null, text: string): string => (key === null ? '' : ` --header '${text}'`);

const bearer = (key: string | null, text: string) =>
  key === null ? {} : { headers: { Authorization: `Bearer ${text}` } };

function vscodeInput(name: string) {
  return { type: 'promptString', id: `${name}-key`, description: `API key of ${name}`, password: true };
}

/**
 * The target of a connection: a stall, and a link with an install token if its holder made one, which then
 * replaces the stall in paths. `reads` is whether that link may also read. `isFree` leaves out everything
 * that needs a key. `slug` is an item's for the lines that name one, `isSigned` whether it is signed.
 * `program` is the client's command line if it is not the stall's own.
 */
export type ConnectPlace = {
  readonly program?: string;
  readonly origin: string;
  readonly link: string | null;
  readonly reads?: boolean;
  readonly isFree?: boolean;
  readonly slug: string;
  readonly isSigned?: boolean;
};

/**
 * One thing to run or paste. `line` is one physical line for a shell; `file` is the file to paste a text
 * into. `kept` says what the agent keeps and where, `undo` is the line that takes it back. `isFreeSkills`
 * marks a step that takes only the free skills of the stall.
 */
export type ConnectStep = {
  readonly does: string;
  readonly line: string;
  readonly file: string | null;
  readonly kept: string | null;
  readonly undo: string | null;
  readonly isFreeSkills: boolean;
};

/** A step with the texts beside its line. */
function connectStep(does: string, line: string, more: Partial<ConnectStep> = {}): ConnectStep {
  return { does, line, file: null, kept: null, undo: null, isFreeSkills: false, ...more };
}

/** The header with a key itself, quoted for a shell. */
export const bearerOf = (key: string): string => `-H 'Authorization: Bearer ${key}' `;

/** The header with the key that a shell keeps in its variable. */
export const BEARER_VARIABLE = '-H "Authorization: Bearer $BOOKSTALL_KEY" ';

/** The curl commands of a stall, each one physical line to paste into a shell; `bearer` is one of the headers above, or ''. */
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
