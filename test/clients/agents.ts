// The agents that speak MCP, as npm has them: Claude Code 2.1.330, Codex 0.169.0, Gemini CLI 0.61.0, OpenCode 1.18.33.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { openHome } from './home.ts';

const PROMPT = 'What does the paid book of the stall say about the heron?';

type Home = ReturnType<typeof openHome>;

/** How an agent is run: its program, its settings for the scripted model, and the words and variables of one question. */
export type Agent = {
  readonly name: string;
  readonly program: string;
  readonly prepare: (home: Home, model: string) => void;
  readonly words: (name: string, model: string) => readonly string[];
  readonly environment: (model: string) => Readonly<Record<string, string>>;
};

export const AGENTS: readonly Agent[] = [
  {
    name: 'claude',
    program: '.bin/claude',
    prepare: () => {},
    words: (name) => ['--print', '--allowedTools', `mcp__${name}`, '--', PROMPT],
    environment: (model) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'sk-ant-script',
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      ENABLE_TOOL_SEARCH: 'false',
    }),
  },
  {
    name: 'codex',
    program: '.bin/codex',
    prepare: () => {},
    words: (_, model) => [
      'exec',
      '--skip-git-repo-check',
      '-c',
      `model_providers.script={name="script",base_url="${model}/v1",wire_api="responses"}`,
      '-c',
      'model_provider="script"',
      '-c',
      'model="script"',
      PROMPT,
    ],
    environment: () => ({}),
  },
  {
    name: 'gemini',
    program: '.bin/gemini',
    prepare: ({ home }) => {
      mkdirSync(join(home, '.gemini'), { recursive: true });
      const settings = { security: { auth: { selectedType: 'gemini-api-key' } } };
      writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(settings));
    },
    words: () => ['--yolo', '--model', 'gemini-2.5-flash', '--prompt', PROMPT],
    environment: (model) => ({
      GOOGLE_GEMINI_BASE_URL: model,
      GEMINI_API_KEY: 'script',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    }),
  },
  {
    name: 'opencode',
    program: '.bin/opencode',
    prepare: ({ project }, model) =>
      writeFileSync(
        join(project, 'opencode.json'),
        JSON.stringify({
          provider: {
            script: {
              npm: '@ai-sdk/openai-compatible',
              name: 'script',
              options: { baseURL: `${model}/v1`, apiKey: 'script' },
              models: { script: { name: 'script' } },
            },
          },
          autoupdate: false,
          permission: 'allow',
        }),
      ),
    words: () => ['run', '--model', 'script/script', PROMPT],
    environment: () => ({ OPENCODE_DISABLE_MODELS_FETCH: 'true' }),
  },
];
