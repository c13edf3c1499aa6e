import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT_ROUTES } from '../../../src/http/agents/routes.ts';
import { openStall } from '../../harness.ts';

const AGENTS = join(import.meta.dir, '../../../src/http/agents');

test('the route table lists only routes that the server has', async () => {
  const { app } = await openStall({ files: {} });
  const served = new Set(app.server.routes.map(({ method, path }) => `${method} ${path}`));
  for (const [method, path] of AGENT_ROUTES) expect(served).toContain(`${method} ${path}`);
  const links = [...served].filter((route) => route.includes('/i/') || route.includes('well-known'));
  const listed = AGENT_ROUTES.map(([method, path]) => `${method} ${path}`);
  expect(links.filter((route) => !listed.includes(route) && route !== 'GET /i/:token')).toEqual([]);
});

test.each(AGENT_ROUTES)('%s %s names its guard %s in %s', (method, path, guard, file) => {
  const source = readFileSync(join(AGENTS, file), 'utf8');
  expect(source).toContain(`.${method.toLowerCase()}(`);
  expect(source).toContain(`${guard}Guard: true`);
  expect(path.startsWith('/i/')).toBe(guard === 'link');
});
