import { connectStep as step, type ConnectPlace, type ConnectStep } from './connect-step.ts';
import { mcpSteps } from './connect-mcp.ts';
import { marketplaceName } from './marketplace.ts';

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
function skills({ origin, link, slug }: ConnectPlace, name: string): ConnectStep {
  return step(
    link === null
      ? 'Installs the free skills, without a key.'
      : 'Installs all that the link opens, without git.',
    `DO_NOT_TRACK=1 npx --yes skills add ${link ?? origin} --agent ${name}`,
    {
      kept: `${link === null ? 'The address' : 'The link'} is kept in the project’s skills-lock.json; “npx skills update” goes by it.`,
      undo: `npx --yes skills remove ${slug}`,
    },
  );
}

/** The stall's own program, which checks each file; it reads a key from the environment or from "bookstall login", and takes no link. */
function client({ origin, link, slug }: ConnectPlace, name: string): readonly ConnectStep[] {
  if (link !== null) return [];
  const program = `npx --yes ${origin}/client.tgz`;
  return [
    step(
      'Installs one item, each file checked. A paid one needs your key in the variable BOOKSTALL_KEY.',
      `${program} install ${slug} --url ${origin} --agent ${name}`,
      { kept: 'No key is kept.', undo: `${program} uninstall ${slug}` },
    ),
  ];
}

function claudePlugins(place: ConnectPlace): readonly ConnectStep[] {
  const { slug, name, shelf } = shelfOf(place);
  return [
    step(needsGit(place), `claude plugin marketplace add ${shelf}`, {
      kept: `${keptBy(place)} in ~/.claude/plugins. “claude plugin marketplace update ${name}” looks for new editions.`,
      undo: `claude plugin marketplace remove ${name}`,
    }),
    step('Installs one item from it.', `claude plugin install ${slug}@${name}`, {
      undo: `claude plugin uninstall ${slug}@${name}`,
    }),
  ];
}

function codexPlugins(place: ConnectPlace): readonly ConnectStep[] {
  const { slug, name, shelf } = shelfOf(place);
  return [
    step(needsGit(place), `codex plugin marketplace add ${shelf}`, {
      kept: `${keptBy(place)} in ~/.codex. “codex plugin marketplace upgrade” looks for new editions.`,
      undo: `codex plugin marketplace remove ${name}`,
    }),
    step('Installs one item from it.', `codex plugin add ${slug}@${name}`, {
      undo: `codex plugin remove ${slug}@${name}`,
    }),
  ];
}

function shelfOf({ origin, link, slug }: ConnectPlace) {
  return { slug, name: marketplaceName(origin, link !== null), shelf: `${link ?? origin}/shelf.git` };
}

function needsGit({ link }: ConnectPlace): string {
  if (link !== null) return 'Adds all that the link opens as a marketplace of plugins.';
  return 'Adds all that you may take as a marketplace of plugins, after “git” below.';
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

function gitSteps({ origin, link, slug }: ConnectPlace): readonly ConnectStep[] {
  const clone = step('Clones one item.', `git clone ${link ?? origin}/git/${slug}.git`, {
    kept: link === null ? null : 'The link is kept in the clone’s .git/config.',
  });
  if (link !== null) return [clone];
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
      'Lets git ask that file for the key, for this stall alone.',
      `${program} connect git --url ${origin}`,
      {
        kept: 'git’s own configuration names the program, and holds no key.',
        undo: `${program} connect git --undo --url ${origin}`,
      },
    ),
    clone,
  ];
}
