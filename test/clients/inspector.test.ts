// The Inspector's CLI 2.12.0, https://github.com/modelcontextprotocol/inspector, as npm has it.
import { expect, test } from 'bun:test';
import { TOOL_SHAPES } from '../../src/agents/shapes.ts';
import { clientProgram, describeWith, openHome } from './home.ts';
import { LONG_CHAPTER, openMcpStall, QUESTION, QUOTE } from './mcp-stall.ts';

describeWith('inspector', clientProgram('.bin/mcp-inspector'), (program) => {
  async function open() {
    const opened = await openMcpStall();
    const { run } = openHome();
    const call = async (key: string | null, ...words: string[]) => {
      const header = key === null ? [] : ['--header', `Authorization: Bearer ${key}`];
      const { code, out } = await run([
        process.execPath,
        '--bun',
        program,
        '--cli',
        opened.url,
        ...header,
        ...words,
      ]);
      // A result, and for a tool's error a line about it.
      const [json = 'null'] = /^\{[\s\S]*?^\}$/m.exec(out) ?? [];
      return { code, out, json: JSON.parse(json) };
    };
    const tool = (key: string | null, name: string, ...pairs: string[]) =>
      call(
        key,
        '--method',
        'tools/call',
        '--tool-name',
        name,
        ...pairs.flatMap((pair) => ['--tool-arg', pair]),
      );
    return { ...opened, call, tool };
  }

  test('lists tools, and finds no schema that a client could stumble over', async () => {
    const { call } = await open();
    const { code, out, json } = await call(null, '--method', 'tools/list', '--strict');
    expect({ code, out: code === 0 ? '' : out }).toEqual({ code: 0, out: '' });
    expect(json.tools).toHaveLength(Object.keys(TOOL_SHAPES).length);
    expect(out).not.toMatch(/portability|warning/i);
  });

  test('searches, reads a chapter to its end, asks, and follows the citation to the same words', async () => {
    const { key, call, tool, revoke } = await open();
    const found = await tool(key, 'search_library', 'query=paid');
    expect(found.json.structuredContent.items).toMatchObject([{ slug: 'paid-book' }]);
    let text = '';
    for (let offset = '0'; offset !== '';) {
      const { json } = await tool(key, 'read_chapter', 'item=paid-book', 'path=02.md', `offset=${offset}`);
      const [, part = '', next = ''] =
        /^([\s\S]*?)\n\[\d+ of \d+ characters; (?:go on with offset (\d+)|this is the end)\]$/.exec(
          json.content[0].text,
        ) ?? [];
      text += next === '' ? part : part.slice(0, Number(next) - Number(offset));
      offset = next;
    }
    expect(text).toBe(LONG_CHAPTER);
    const asked = await tool(key, 'ask_book', 'item=paid-book', `question=${QUESTION}`);
    const [{ quote, uri }] = asked.json.structuredContent.citations;
    expect(quote).toContain(QUOTE);
    const { json } = await call(key, '--method', 'resources/read', '--uri', uri);
    expect(json.contents[0].text).toContain(quote);
    await revoke();
    const refused = await tool(key, 'read_chapter', 'item=paid-book', 'path=02.md');
    expect(refused.code).not.toBe(0);
    expect(refused.out).toContain('auth_required');
  });

  test('without a key reads what is free, and is told how to send one', async () => {
    const { tool } = await open();
    const free = await tool(null, 'read_chapter', 'item=free-book', 'path=01.md');
    expect(free.json.content[0].text).toContain('heron of free marsh');
    const paid = await tool(null, 'read_chapter', 'item=paid-book', 'path=01.md');
    expect([paid.json.isError, paid.out]).toEqual([true, expect.not.stringContaining('heron')]);
    expect(paid.json.content[0].text).toContain('send an API key');
  });
});
