// The agents' own programs sign in at /mcp/library, with Chromium in the person's place, and read with a scripted model. Here
// Claude Code and Codex register, as at a stall without documents: theirs are at claude.ai and chatgpt.com, and the tests have no
// network.
import { expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { visitAs } from '../office/visit.ts';
import { type Agent, AGENTS } from './agents.ts';
import { type Move, readAndAsk } from './agent-plan.ts';
import { clientProgram, describeWith, openHome } from './home.ts';
import { openMcpStall, QUOTE } from './mcp-stall.ts';
import { answerAt, openNotedBrowser } from './person.ts';
import { openScriptedModel } from './scripted-model.ts';

const EMAIL = 'reader@example.org';
const NAME = 'stall';

type Run = (words: readonly string[]) => Promise<{ readonly code: number; readonly out: string }>;
type Place = {
  readonly url: string;
  readonly home: ReturnType<typeof openHome>;
  readonly run: Run;
  readonly opened: () => Promise<string>;
  readonly terminal: (words: readonly string[]) => ReturnType<ReturnType<typeof openHome>['terminal']>;
};

/** The keys of a person until the agent opens the page; the result is awaited after they have pressed the button there. */
const SIGN_INS: Readonly<Record<string, (place: Place) => Promise<() => Promise<unknown>>>> = {
  async claude({ url, run, terminal }) {
    await run(['mcp', 'add', '--transport', 'http', NAME, url]);
    const { until } = terminal(['mcp', 'login', NAME]);
    return () => until('Authenticat');
  },
  async codex({ url, run }) {
    const adding = run(['mcp', 'add', NAME, '--url', url]);
    return () => adding;
  },
  async gemini({ url, home, terminal, opened }) {
    const file = join(home.home, '.gemini/settings.json');
    const settings = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...settings, mcpServers: { [NAME]: { httpUrl: url } } }));
    const { until, type } = terminal([]);
    await until('Type your message');
    await Bun.sleep(3000);
    type(`/mcp auth ${NAME}`);
    // It takes a key that comes at once for pasted text, and asks whether it may open a browser.
    for (
      let isOpen = false;
      !isOpen;
      isOpen = await Promise.race([opened(), Bun.sleep(2000)]).then(Boolean)
    ) {
      await Bun.sleep(1000);
      type('\r');
    }
    return () => until('uthenticat');
  },
  async opencode({ url, home, run }) {
    const file = join(home.project, 'opencode.json');
    const settings = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...settings, mcp: { [NAME]: { type: 'remote', url } } }));
    const signing = run(['mcp', 'auth', NAME]);
    return () => signing;
  },
};

/** An agent that has signed in, with a scripted model. */
async function open(agent: Agent, plan: (results: readonly string[]) => Move) {
  const { stall } = await openMcpStall({ config: { oauthDocuments: false } });
  const cookie = await stall.signIn(EMAIL);
  const model = openScriptedModel(plan);
  const home = openHome();
  agent.prepare(home, model.url);
  const browser = openNotedBrowser(home.home);
  const environment = { ...agent.environment(model.url), ...browser.environment };
  const path = clientProgram(agent.program)!;
  const runner = agent.name === 'gemini' ? [process.execPath, '--bun', path] : [path];
  const run: Run = (words) => home.run([...runner, ...words], environment);
  const terminal: Place['terminal'] = (words) => home.terminal([...runner, ...words], environment);
  const finish = await SIGN_INS[agent.name]!({
    url: `${stall.url}/mcp/library`,
    home,
    run,
    terminal,
    opened: browser.opened,
  });
  const to = await answerAt(await browser.opened(), { email: EMAIL });
  expect(new URL(to).hostname).toMatch(/^(?:127\.0\.0\.1|localhost)$/);
  await finish();
  const ask = async () => (await run(agent.words(NAME, model.url))).out;
  return { stall, model, ask, reader: visitAs(stall, cookie), browser };
}

for (const agent of AGENTS)
  describeWith(agent.name, clientProgram(agent.program), () => {
    test('signs in, asks a bought book, and after the reader disconnected it has nothing to call', async () => {
      const { stall, model, ask, reader } = await open(agent, readAndAsk);
      expect(await ask()).toContain(`CITED: ${QUOTE}`);
      expect(model.results().join('\n')).toContain('The owl sleeps at last.');
      const { html } = await reader.open('/dashboard/assistants');
      const [, id = ''] = /dashboard\/assistants\/([0-9a-f-]{36})/.exec(html) ?? [];
      await reader.send(`/dashboard/assistants/${id}`, { act: 'end' });
      expect(await ask()).toContain('NOTHING TO CALL');
      expect(JSON.stringify(stall.log)).not.toMatch(/sv[or]_[0-9A-Za-z]{38}/);
    });
  });
