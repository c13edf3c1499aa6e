import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT_ROUTES } from '../../../src/http/agents/routes.ts';
import { SITE_ROUTES } from '../../../src/http/site/routes.ts';
import { openStall } from '../../harness.ts';
import { STRAY_EXAMPLES } from './routes.ts';

const FOR_AGENTS = new Set(AGENT_ROUTES.map(([, path]) => path));
const SITE = join(import.meta.dir, '../../../src/http/site');

test('the route table lists exactly the routes of the site', async () => {
  const { app } = await openStall({ files: {} });
  const served = app.server.routes
    .filter(({ path }) => !/^\/(api\/|webhooks\/|livez$|readyz$)/.test(path) && !FOR_AGENTS.has(path))
    .map(({ method, path }) => `${method} ${path}`);
  expect(SITE_ROUTES.map(([method, path]) => `${method} ${path}`).toSorted()).toEqual(served.toSorted());
});

test.each(SITE_ROUTES)('%s %s names its guard %s in %s', (method, _, guard, file) => {
  const source = readFileSync(join(SITE, file), 'utf8');
  expect(source).toContain(`.${method.toLowerCase()}(`);
  expect(source).toContain(`${guard}Guard: true`);
});

test('every example belongs to a route', () => {
  expect(STRAY_EXAMPLES).toEqual([]);
});
