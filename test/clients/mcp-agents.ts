// The agents' own programs as npm has them, over MCP, with a scripted model: Claude Code 2.1.330, Codex 0.169.0, Gemini CLI
// 0.61.0, OpenCode 1.18.33. Each is connected by the line that `bookstall connect` prints for it.
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { CONNECT_AGENTS } from '../../src/catalog/connect.rule.ts';
import { keyVariable } from '../../src/catalog/marketplace.rule.ts';
import { clientProgram, describeWith, openHome } from './home.ts';
import { type Agent, AGENTS } from './agents.ts';
import { type Move, readAndAsk, readNotes, tryWithoutKey } from './agent-plan.ts';
import { openMcpStall, QUOTE } from './mcp-stall.ts';
import { openScriptedModel } from './scripted-model.ts';

/** A stall, and an agent with a scripted model that is connected to it; without a key the line has no header. */
async function open(
  { name, program, prepare, words, environment }: Agent,
  plan: (results: readonly string[]) => Move,
  hasKey = true,
) {
  const opened = await openMcpStall();
  const model = openScriptedModel(plan);
  const home = openHome();
  prepare(home, model.url);
  const { steps } = CONNECT_AGENTS.find((agent) => agent.name === name)!;
  const place = { origin: opened.stall.url, link: null, isFree: !hasKey, slug: 'paid-book' };
  const line = steps(place).find((one) => one.line.includes('/mcp'))?.line ?? '';
  const [, server = ''] = / mcp add (?:--\S+ \S+ )*([a-z0-9][a-z0-9-]*) /.exec(line) ?? [];
  const path = clientProgram(program)!;
  // The Gemini CLI wants a newer Node than a machine may have.
  const runner = name === 'gemini' ? [process.execPath, '--bun', path] : [path];
  const connected = await home.run(
    ['sh', '-c', line.replace(name, runner.join(' '))],
    environment(model.url),
  );
  expect({ line, ...connected }).toMatchObject({ code: 0 });
  const ask = (more: Readonly<Record<string, string>> = {}) =>
    home.run([...runner, ...words(server, model.url)], { ...environment(model.url), ...more });
  return { ...opened, model, ask, home };
}

const hasTools = (tools: ReadonlySet<string>): boolean =>
  [...tools].some((name) => name.endsWith('ask_book'));

for (const agent of AGENTS)
  describeWith(agent.name, clientProgram(agent.program), () => {
    test('searches, reads a chapter to its end, asks, and follows the citation to the same words', async () => {
      const { key, stall, model, ask, home } = await open(agent, readAndAsk);
      const { out } = await ask({ [keyVariable(stall.url)]: key });
      expect(out).toContain(`CITED: ${QUOTE}`);
      expect(model.results().join('\n')).toContain('The owl sleeps at last.');
      for await (const file of new Bun.Glob('**').scan({ cwd: home.home, dot: true, onlyFiles: true }))
        expect({ file, holds: (await Bun.file(join(home.home, file)).text()).includes(key) }).toEqual({
          file,
          holds: false,
        });
    });

    test('reads what its user marked in a book', async () => {
      const { key, stall, ask } = await open(agent, readNotes);
      const place = { path: '01.md', start: 2, end: 11, text: 'Why one leg?' };
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
      const body = JSON.stringify(place);
      expect((await stall.fetch('/api/books/paid-id/notes', { method: 'POST', headers, body })).status).toBe(
        201,
      );
      expect((await ask({ [keyVariable(stall.url)]: key })).out).toMatch(
        /MARKED: [\s\S]*# The paid book: notes[\s\S]*> The heron[\s\S]*Why one leg\?/,
      );
    });

    test('without a key reads what is free, and is told how to send one', async () => {
      const { model, ask } = await open(agent, tryWithoutKey, false);
      expect((await ask()).out).toContain('DONE');
      const [found = '', free = '', paid = '', asked = ''] = model.results();
      expect(found).toMatch(/free-book[\s\S]*free-skill/);
      expect(found).not.toContain('paid-book');
      expect(free).toContain('heron of free marsh');
      expect(paid).toContain('send an API key');
      expect(paid).not.toContain('heron of paid marsh');
      expect(asked).toContain('/connect has the line for each agent');
    });

    test('after the key was revoked has no stall, and opens no dialog to sign in', async () => {
      const { key, stall, model, ask, revoke } = await open(agent, readAndAsk);
      await revoke();
      const { out } = await ask({ [keyVariable(stall.url)]: key });
      expect(out).toContain('NOTHING TO CALL');
      expect(hasTools(model.tools)).toBeFalse();
    });
  });
