// The agents' own commands and settings for MCP servers, each as its documentation has it; tried with all but Cursor and VS Code.
import { connectStep, type ConnectPlace, type ConnectStep } from './connect-step.ts';
import { marketplaceName } from './marketplace.ts';

/** The agents that speak MCP, by their names in the list of agents. */
type McpAgent = keyof typeof AGENTS;

/** The parts of a step: the server's name and address, and whether the agent sends a key to it. */
type Server = { readonly name: string; readonly url: string; readonly hasKey: boolean };

/** The longest name: with a tool's it must have at most 64 characters. */
const LONGEST_NAME = 40;
const KEY = 'BOOKSTALL_KEY';

const AGENTS = {
  claude: ({ name, url, hasKey }: Server) => ({
    line: `claude mcp add --scope user --transport http ${name} ${url}${header(hasKey, `Authorization: Bearer \${${KEY}}`)}`,
    kept: 'in ~/.claude.json',
    undo: `claude mcp remove --scope user ${name}`,
  }),
  codex: ({ name, url, hasKey }: Server) => ({
    line: `codex mcp add ${name} --url ${url}${hasKey ? ` --bearer-token-env-var ${KEY}` : ''}`,
    kept: 'in ~/.codex/config.toml',
    undo: `codex mcp remove ${name}`,
  }),
  cursor: ({ name, url, hasKey }: Server) => ({
    line: JSON.stringify({ mcpServers: { [name]: { url, ...bearer(hasKey, `\${env:${KEY}}`) } } }),
    file: '~/.cursor/mcp.json',
    kept: 'in that file',
  }),
  gemini: ({ name, url, hasKey }: Server) => ({
    line: `gemini mcp add --scope user --transport http ${name} ${url}${header(hasKey, `Authorization: Bearer $${KEY}`)}`,
    kept: 'in ~/.gemini/settings.json, for folders that you trust',
    undo: `gemini mcp remove --scope user ${name}`,
  }),
  opencode: ({ name, url, hasKey }: Server) => ({
    line: `opencode mcp add ${name} --url ${url}${header(hasKey, `Authorization=Bearer {env:${KEY}}`)}`,
    kept: 'in ~/.config/opencode/opencode.jsonc, where you also take it out',
  }),
  vscode: ({ name, url, hasKey }: Server) => ({
    line: JSON.stringify({
      ...(hasKey ? { inputs: [vscodeInput(name)] } : {}),
      servers: { [name]: { type: 'http', url, ...bearer(hasKey, `\${input:${name}-key}`) } },
    }),
    file: 'mcp.json, which “MCP: Open User Configuration” opens',
    kept: 'in that file; VS Code asks for the key and keeps it in its secret storage',
  }),
} satisfies Readonly<
  Record<string, (server: Server) => Partial<ConnectStep> & { line: string; kept: string }>
>;

/** The step that connects an agent over MCP; none by a link that may not read. */
export function mcpSteps(
  agent: McpAgent,
  { origin, link, reads = false }: ConnectPlace,
): readonly ConnectStep[] {
  if (link !== null && !reads) return [];
  const hasKey = link === null;
  const name = marketplaceName(origin, !hasKey).slice(0, LONGEST_NAME).replace(/-$/, '');
  const { line, kept, ...more } = AGENTS[agent]({ name, url: `${link ?? origin}/mcp`, hasKey });
  const what = hasKey
    ? `The address is kept ${kept}, with the name of the variable and no key. Without the header it works too, for free items.`
    : `The link is kept ${kept}.`;
  const does = `Lets it search, read and ask here, over MCP${hasKey ? `, with your key in the variable ${KEY}` : ''}.`;
  return [connectStep(does, line, { ...more, kept: what })];
}

function header(hasKey: boolean, text: string): string {
  return hasKey ? ` --header '${text}'` : '';
}

function bearer(hasKey: boolean, key: string) {
  return hasKey ? { headers: { Authorization: `Bearer ${key}` } } : {};
}

function vscodeInput(name: string) {
  return { type: 'promptString', id: `${name}-key`, description: `API key of ${name}`, password: true };
}
