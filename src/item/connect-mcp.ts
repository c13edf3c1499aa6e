// The agents' own commands and settings for MCP servers, each as its documentation has it; tried with all but Cursor and VS Code.
import { connectStep, type ConnectPlace, type ConnectStep } from './connect-step.ts';
import { keyVariable, marketplaceName } from './marketplace.ts';

/** The agents that speak MCP, by their names in the list of agents. */
type McpAgent = keyof typeof AGENTS;

/** The parts of a step: the server's name and address, and the variable of the key that the agent sends, if it sends one. */
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

/** The step that connects an agent over MCP; none by a link that may not read. */
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

function header(key: string | null, text: string): string {
  return key === null ? '' : ` --header '${text}'`;
}

function bearer(key: string | null, text: string) {
  return key === null ? {} : { headers: { Authorization: `Bearer ${text}` } };
}

function vscodeInput(name: string) {
  return { type: 'promptString', id: `${name}-key`, description: `API key of ${name}`, password: true };
}
