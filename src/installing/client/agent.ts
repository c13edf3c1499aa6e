import { join } from 'node:path';
import type { Environment } from '../../platform/config/secret-variable.ts';
import { didYouMean } from '../../platform/base/problem.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import { homeOf, readVariable } from './client-context.ts';

/**
 * The folders in which each agent searches for skills: in a project, and in the user's home directory. From the agents' own
 * pages (code.claude.com/docs/en/skills, opencode.ai/docs/skills, cursor.com/docs/context/skills,
 * developers.openai.com/codex/skills), otherwise from the table in the program `skills` 1.7.4.
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

export const AGENT_NAMES: readonly string[] = Object.keys(AGENTS);

const HOMES: Readonly<Record<string, string>> = { claude: 'CLAUDE_CONFIG_DIR' };

/** Returns the folder from which an agent reads skills: in the project `directory`, or the user's. Refuses an unknown agent. */
export function skillFolder(
  name: string,
  { isUser, directory, environment }: { isUser: boolean; directory: string; environment: Environment },
): string {
  const agent = Object.hasOwn(AGENTS, name) ? AGENTS[name] : undefined;
  if (agent === undefined) throw unknown(name);
  if (!isUser) return join(directory, agent.project);
  const moved = readVariable(environment, HOMES[name] ?? '');
  return moved === undefined ? join(homeOf(environment), agent.user) : join(moved, 'skills');
}

function unknown(name: string): Refusal {
  const hint = didYouMean(name, AGENT_NAMES, `choose from ${AGENT_NAMES.join(', ')}, or give --dir DIR`);
  return Refusal.invalid(`Cannot install for "${name.slice(0, 40)}": ${hint}`);
}
