import { connectStep as step, type ConnectPlace, type ConnectStep } from './connect-step.ts';
import { mcpSteps } from './connect-mcp.ts';
import { keyVariable, marketplaceName } from './marketplace.ts';

/** An agent with its steps. */
export type ConnectAgent = {
  readonly name: string;
  readonly title: string;
  readonly steps: (place: ConnectPlace) => readonly ConnectStep[];
};

/** Every agent, in the order of the pages. No line holds a key; one made for a link holds its token. */
export const CONNECT_AGENTS: readonly ConnectAgent[] = [
  agent('claude', 'Claude Code', (place) => [
    ...mcpSteps('claude', place),
    ...claudePlugins(place),
    skills(place, 'claude-code'),
    ...client(place, 'claude'),
  ]),
  agent('codex', 'Codex', (place) => [
    ...mcpSteps('codex', place),
    ...codexPlugins(place),
    skills(place, 'codex'),
    ...client(place, 'codex'),
  ]),
  agent('cursor', 'Cursor', (place) => [
    ...mcpSteps('cursor', place),
    skills(place, 'cursor'),
    ...client(place, 'cursor'),
  ]),
  agent('gemini', 'Gemini CLI', (place) => [
    ...mcpSteps('gemini', place),
    skills(place, 'gemini-cli'),
    ...client(place, 'gemini'),
  ]),
  agent('opencode', 'OpenCode', (place) => [
    ...mcpSteps('opencode', place),
    openCode(place),
    ...client(place, 'opencode'),
  ]),
  agent('vscode', 'VS Code (GitHub Copilot)', (place) => [
    ...mcpSteps('vscode', place),
    skills(place, 'github-copilot'),
    ...client(place, 'copilot'),
  ]),
  agent('git', 'git', gitSteps),
];

/** The names of all agents. */
export const CONNECT_NAMES: readonly string[] = CONNECT_AGENTS.map(({ name }) => name);

/** The sentence that a page shows beside each link. */
export const LINK_WARNING =
  'Anyone who has this link takes these items as you. It ends in lock files and settings; do not commit it.';

function agent(name: string, title: string, steps: ConnectAgent['steps']): ConnectAgent {
  return { name, title, steps };
}

/** Skills at well-known addresses. That client sends link and item names to skills.sh unless this is switched off. */
function skills({ origin, link }: ConnectPlace, name: string): ConnectStep {
  return step(
    link === null
      ? 'Installs the free skills, without a key.'
      : 'Installs all that the link opens, without git.',
    `DO_NOT_TRACK=1 npx --yes skills add ${link ?? origin} --agent ${name}`,
    {
      kept: `${link === null ? 'The address' : 'The link'} is kept in the project’s skills-lock.json; “npx skills update” goes by it. Programs in a skill lose their executable bit; git keeps it.`,
      undo: 'npx --yes skills remove',
    },
  );
}

/** The stall's own program, which checks each file; it reads a key from the environment or from "bookstall login", and takes no link. */
function client({ origin, link, slug, isFree }: ConnectPlace, name: string): readonly ConnectStep[] {
  if (link !== null) return [];
  const paid = `. A paid one needs your key in the variable ${keyVariable(origin)}`;
  const program = `npx --yes ${origin}/client.tgz`;
  return [
    step(
      `Installs one item, each file checked${isFree ? '' : paid}.`,
      `${program} install ${slug} --url ${origin} --agent ${name}`,
      { kept: 'No key is kept.', undo: `${program} uninstall ${slug}` },
    ),
  ];
}

function claudePlugins(place: ConnectPlace): readonly ConnectStep[] {
  const { slug, name, shelf } = shelfOf(place);
  return [
    ...keyForGit(place),
    step(addsShelf(place), `claude plugin marketplace add ${shelf}`, {
      kept: `${keptBy(place)} in ~/.claude/plugins and ~/.claude/settings.json.`,
      undo: `claude plugin marketplace remove ${name}`,
    }),
    step('Installs one item from it.', `claude plugin install ${slug}@${name}`, {
      kept: `A new edition comes with “claude plugin marketplace update ${name}” and then “claude plugin update ${slug}@${name}”.${ended(place)}`,
      undo: `claude plugin uninstall ${slug}@${name}`,
    }),
  ];
}

function codexPlugins(place: ConnectPlace): readonly ConnectStep[] {
  const { slug, name, shelf } = shelfOf(place);
  // Codex takes a marketplace by git alone, and git sends a key only to a repository that demands one.
  if (place.isFree) return [];
  return [
    ...keyForGit(place),
    step(addsShelf(place), `codex plugin marketplace add ${shelf}`, {
      kept: `${keptBy(place)} in ~/.codex.`,
      undo: `codex plugin marketplace remove ${name}`,
    }),
    step('Installs one item from it.', `codex plugin add ${slug}@${name}`, {
      kept: `A new edition comes with “codex plugin marketplace upgrade” and then this line again.${ended(place)}`,
      undo: `codex plugin remove ${slug}@${name}`,
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

/** The agents themselves name no reason. */
function ended({ link, isFree }: ConnectPlace): string {
  if (isFree) return '';
  return ` If it is “not found in marketplace” later, ${link === null ? 'your grant for it has ended' : 'the link no longer opens it'}.`;
}

function keptBy({ link }: ConnectPlace): string {
  return link === null ? 'The address is kept, and no key,' : 'The link is kept';
}

function openCode({ origin, link }: ConnectPlace): ConnectStep {
  const url = `${link ?? origin}/.well-known/agent-skills/`;
  return step(
    link === null ? 'Adds the free skills.' : 'Adds all that the link opens.',
    JSON.stringify({ skills: { urls: [url] } }),
    { file: 'opencode.json', kept: `${link === null ? 'The address' : 'The link'} is kept in that file.` },
  );
}

function gitSteps(place: ConnectPlace): readonly ConnectStep[] {
  const { origin, link, slug } = place;
  const clone = step('Clones one item.', `git clone ${link ?? origin}/git/${slug}.git`, {
    kept: link === null ? null : 'The link is kept in the clone’s .git/config.',
  });
  return [...keyForGit(place), clone];
}

/** The steps after which git, and each agent that starts git, finds the key. */
function keyForGit({ origin, link, isFree }: ConnectPlace): readonly ConnectStep[] {
  if (link !== null || isFree) return [];
  const program = `npx --yes ${origin}/client.tgz`;
  return [
    step(
      'Asks for your key and keeps it in a file that only you can read.',
      `${program} login --url ${origin}`,
      {
        undo: `${program} logout --url ${origin}`,
      },
    ),
    step(
      'Lets git, and what starts git, ask that file for the key, for this stall alone.',
      `${program} connect git --url ${origin}`,
      {
        kept: 'git’s own configuration names the program, and holds no key.',
        undo: `${program} connect git --undo --url ${origin}`,
      },
    ),
  ];
}
