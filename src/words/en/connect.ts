import { formatsIn } from '../formats.ts';

const f = formatsIn('en-GB');

/** `isLink`: whether an address with an install token stands for the stall's own. */
type Way = { isLink: boolean };

/** `hasKey`: whether the agent sends a key, which a variable holds. */
type Server = Way & { hasKey: boolean };

const address = (isLink: boolean): string => (isLink ? 'The link' : 'The address');

const serverKept =
  (where: string) =>
  ({ isLink, hasKey }: Server): string =>
    hasKey
      ? `${address(isLink)} is kept ${where}, with the name of the variable and no key. Without the header it works too, for free items.`
      : `${address(isLink)} is kept ${where}.`;

/** The lines to paste for an agent: each one's effect, and where it is kept. Commands, tools and pages say it; files and programs have their own names. */
export const steps = {
  mcp: 'Lets it search, read and ask here, over MCP.',
  mcpFree: 'Lets it search, read and ask here, over MCP; to ask, it needs your key.',
  mcpKey: 'Lets it search, read and ask here, over MCP, with your key.',
  serverKept: {
    claude: serverKept('in ~/.claude.json'),
    codex: serverKept('in ~/.codex/config.toml'),
    cursor: serverKept('in that file'),
    gemini: serverKept('in ~/.gemini/settings.json, for folders that you trust'),
    opencode: serverKept('in ~/.config/opencode/opencode.jsonc (remove it there)'),
    vscode: ({ isLink, hasKey }: Server) =>
      hasKey
        ? `${address(isLink)} is kept in that file. VS Code asks for the key, and keeps it in its secret storage. Without the header it works too, for free items.`
        : `${address(isLink)} is kept in that file.`,
  },
  vscodeFile: 'mcp.json, which “MCP: Open User Configuration” opens',
  skills: ({ isLink }: Way): string =>
    isLink ? 'Installs all that the link opens, without git.' : 'Installs the free skills, without a key.',
  skillsKept: ({ isLink }: Way) =>
    `${address(isLink)} is kept in the project’s skills-lock.json; “npx skills update” goes by it. Programs in a skill lose their executable bit; git keeps it.`,
  openCode: ({ isLink }: Way): string => (isLink ? 'Adds all that the link opens.' : 'Adds the free skills.'),
  openCodeKept: ({ isLink }: Way) => `${address(isLink)} is kept in that file.`,
  install: 'Installs one item, each file checked.',
  installWithKey: ({ variable }: { variable: string }) =>
    `Installs one item, each file checked. A paid one needs your key in the variable ${variable}.`,
  noKeyKept: 'No key is kept.',
  shelf: {
    free: 'Adds the free items as a marketplace of plugins.',
    own: 'Adds all that you may take as a marketplace of plugins.',
    link: 'Adds all that the link opens as a marketplace of plugins.',
  },
  shelfKept: ({ isLink, files }: Way & { files: readonly string[] }) =>
    `${isLink ? 'The link is kept' : 'The address is kept, and no key,'} in ${f.list(files)}.`,
  plugin: 'Installs one item from it.',
  newEdition: ({ commands: [first = '', second] }: { commands: readonly string[] }) =>
    `A new edition comes with “${first}” and then ${second === undefined ? 'this line again' : `“${second}”`}.`,
  ended: ({ isLink }: Way) =>
    `If it is “not found in marketplace” later, ${isLink ? 'the link no longer opens it' : 'your grant for it has ended'}.`,
  clone: 'Clones one item.',
  cloneKept: 'The link is kept in the clone’s .git/config.',
  login: 'Signs you in, and keeps a key in a file that only you can read.',
  git: 'Lets git, and what starts git, ask that file for the key, for this stall alone.',
  gitKept: 'git’s own configuration names the program, and holds no key.',
  signature:
    'Checks the signed text, and shows a good one. “allowed_signers” holds the publisher’s NAME and key, as the publisher told you, not this stall; slug and digest must be those of your files. A client that was not taken from this stall does the same at each install and update; one from this stall is only as true as the stall on that day. Git, marketplaces and other clients do not check.',
  linkWarning:
    'Anyone who has this link takes these items as you. It ends in lock files and settings; do not commit it.',
};
