import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT_NAMES, skillFolder } from '../../../src/installing/client/agent.ts';

const chapter = readFileSync(
  join(import.meta.dir, '../../../content/books/handbook/3a-read-and-install.md'),
  'utf8',
);
const where = { directory: '/project', environment: { HOME: '/home/ada' } };

test.each(AGENT_NAMES)('the Handbook names the folders of %s', (name) => {
  const project = skillFolder(name, { ...where, isUser: false }).replace('/project/', '');
  const user = skillFolder(name, { ...where, isUser: true }).replace('/home/ada/', '~/');
  const row =
    chapter
      .split('\n')
      .find((line) => line.startsWith('| `') && line.split(' | ')[0]?.includes(`\`${name}\``)) ?? '';
  expect(row).toContain(`\`${project}\``);
  expect(
    row.includes(`\`${user}\``) || (row.includes('the same below `~`') && user === `~/${project}`),
  ).toBeTrue();
});

test('claude follows CLAUDE_CONFIG_DIR for the user alone', () => {
  const environment = { HOME: '/home/ada', CLAUDE_CONFIG_DIR: '/elsewhere' };
  expect(skillFolder('claude', { ...where, environment, isUser: true })).toBe('/elsewhere/skills');
  expect(skillFolder('claude', { ...where, environment, isUser: false })).toBe('/project/.claude/skills');
});

test.each(['constructor', '__proto__', '', 'claud'])('%j is no agent', (name) => {
  expect(() => skillFolder(name, { ...where, isUser: false })).toThrow('Cannot install for');
});
