import { expect, test } from 'bun:test';
import { mcpSteps } from '../../src/catalog/connect.rule.ts';
import { keyVariable } from '../../src/catalog/marketplace.rule.ts';

const AGENTS = ['claude', 'codex', 'cursor', 'gemini', 'opencode', 'vscode'] as const;
const ORIGIN = 'https://stall.example.org';
const LINK = `${ORIGIN}/i/svi_token`;

test.each(AGENTS)('%s: the line has the address, and the key only as its variable or an input', (agent) => {
  const [step] = mcpSteps(agent, { origin: ORIGIN, link: null, slug: 'x' });
  expect(step?.line).toContain(`${ORIGIN}/mcp`);
  expect(step?.line).toMatch(/BOOKSTALL_KEY_STALL_EXAMPLE_ORG\b|\$\{input:stall-example-org-key\}/);
  expect(step?.line).not.toContain('\n');
  if (step?.file !== null) expect(() => JSON.parse(step?.line ?? '')).not.toThrow();
});

test.each(AGENTS)('%s: a link that may read stands in the line alone, another has none', (agent) => {
  const place = { origin: ORIGIN, link: LINK, slug: 'x' };
  expect(mcpSteps(agent, place)).toEqual([]);
  const [step] = mcpSteps(agent, { ...place, reads: true });
  expect(step?.line).toContain(`${LINK}/mcp`);
  expect(step?.line).not.toMatch(/KEY|[Hh]eader|Bearer|inputs/);
});

test.each(AGENTS)('%s: the line for free items sends no key', (agent) => {
  const [step] = mcpSteps(agent, { origin: ORIGIN, link: null, isFree: true, slug: 'x' });
  expect(step?.line).toContain(`${ORIGIN}/mcp`);
  expect(step?.line).not.toMatch(/KEY|[Hh]eader|Bearer|inputs/);
});

test.each([
  ['https://stall.example.org', 'STALL_EXAMPLE_ORG'],
  ['http://127.0.0.1:7070', '127_0_0_1___7070'],
  ['https://my-stall.example.org:8443', 'MY__STALL_EXAMPLE_ORG___8443'],
  ['https://my_stall.example.org', 'MY_____STALL_EXAMPLE_ORG'],
  ['https://bücher.example', 'XN____BCHER__KVA_EXAMPLE'],
  ['http://[::1]:7070', '___________1________7070'],
])('the key of %s has a variable of its own', (origin, name) => {
  expect(keyVariable(new URL(origin).origin)).toBe(`BOOKSTALL_KEY_${name}`);
});

test('a long host leaves room for the names of tools', () => {
  const origin = `https://${'very-long-'.repeat(12)}name.example.org`;
  const [, name = ''] =
    /mcp add (\S+) /.exec(mcpSteps('codex', { origin, link: null, slug: 'x' })[0]?.line ?? '') ?? [];
  expect(`mcp__${name}__search_library`.length).toBeLessThanOrEqual(64);
  expect(name).toMatch(/^[a-z0-9-]+[a-z0-9]$/);
});
