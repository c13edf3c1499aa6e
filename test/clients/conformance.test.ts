// The protocol's own conformance suite, https://github.com/modelcontextprotocol/conformance, 0.2.0-alpha.12: the first that
// knows 2026-07-28. It is written for servers that offer its own tools, resources and prompts.
import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../helpers/harness.ts';
import { clientProgram, describeWith, openHome } from './home.ts';
import { openMcpStall } from './mcp-stall.ts';

const REPORT = join(import.meta.dir, 'conformance.md');

type Check = { readonly id: string; readonly status: string; readonly errorMessage?: string };

/** Why a check of a scenario does not pass, first match first; a check that none of them explains fails the test. */
const REASONS: readonly (readonly [scenario: RegExp, message: RegExp, reason: string])[] = [
  [/^tasks-/, /./, 'Tasks are an extension, which the stall does not offer: a question is one call.'],
  [/^prompts-|^input-required-result-non-tool/, /Method not found/, 'The stall has no prompts.'],
  [/^caching$/, /^prompts\/list /, 'The stall has no prompts.'],
  [/^completion-/, /Method not found/, 'The stall completes no arguments.'],
  [/^logging-|-with-logging$/, /Method not found/, 'The stall sends no log messages.'],
  [/^resources-(?:un)?subscribe$/, /Method not found/, 'The stall sends no changes: ask again.'],
  [/^server-sse-multiple-streams$/, /./, 'The stall keeps no sessions.'],
  [/^resources-/, /it is not there/, 'Reads a resource of the suite’s own server.'],
  [/-custom-header-/, /x-mcp-header/, 'No tool takes an argument in a header.'],
  [
    /./,
    /"test_\w+"|'test_\w+'|json_schema_2020_12_tool|InputRequiredResult/,
    'Calls a tool of the suite’s own server.',
  ],
];

describeWith('conformance', clientProgram('.bin/conformance'), (program) => {
  test('whatever does not pass is a feature that the stall does not offer, and the report says which', async () => {
    const { url } = await openMcpStall();
    const { run } = openHome();
    const lines: string[] = [];
    for (const [revision, ...words] of [
      ['2026-07-28', '--requirements', '2026-07-28'],
      ['2025-11-25', '--spec-version', '2025-11-25', '--suite', 'active'],
    ] as const) {
      const output = temporaryDirectory();
      await run([
        process.execPath,
        '--bun',
        program,
        'server',
        '--url',
        url,
        ...words,
        '--output-dir',
        output,
      ]);
      lines.push(
        `## ${revision}`,
        '',
        '| scenario | passed | not passed | why |',
        '| --- | --- | --- | --- |',
      );
      for (const folder of readdirSync(output).toSorted()) {
        const [, scenario = folder] = /^(?:server-)?(.+?)-\d{4}-\d\d-\d\dT/.exec(folder) ?? [];
        const checks = JSON.parse(readFileSync(join(output, folder, 'checks.json'), 'utf8')) as Check[];
        lines.push(lineOf(scenario, checks));
      }
      lines.push('');
    }
    const text = `${HEAD}\n${lines.join('\n')}`;
    if (process.env['BOOKSTALL_REPORT'] === '1') writeFileSync(REPORT, text);
    expect(text).not.toContain('UNEXPLAINED');
    expect(unpadded(text)).toBe(unpadded(readFileSync(REPORT, 'utf8')));
  });
});

const HEAD = `# Conformance

The protocol's own suite, \`@modelcontextprotocol/conformance\` 0.2.0-alpha.12, against a stall. It is written for a server with tools, resources and prompts of its own (\`test_simple_text\` and others); what needs those cannot pass. \`BOOKSTALL_REPORT=1 bun test ./test/clients/conformance.test.ts\` writes this page, and the test fails if a check does not pass for another reason.
`;

/** A table without the spaces and dashes that a formatter adds. */
function unpadded(text: string): string {
  return text.replace(/ +/g, ' ').replace(/-{3,}/g, '---').trim();
}

function lineOf(scenario: string, checks: readonly Check[]): string {
  const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
  const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
  const reasons = new Set(failed.map((check) => reasonOf(scenario, check)));
  return `| ${scenario} | ${passed} | ${failed.length} | ${[...reasons].join(' ')} |`;
}

function reasonOf(scenario: string, { id, errorMessage = id }: Check): string {
  const found = REASONS.find(([of, message]) => of.test(scenario) && message.test(errorMessage));
  return found?.[2] ?? `UNEXPLAINED ${id}: ${errorMessage}`;
}
