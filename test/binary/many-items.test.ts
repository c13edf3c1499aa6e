import { beforeAll, expect, test } from 'bun:test';
import { itemYaml, skillMd } from '../harness.ts';
import { buildProgram, PROGRAM, serve, stallDirectory } from './program.ts';

beforeAll(buildProgram, 120_000);

test('many times more items than files may be open are all served', async () => {
  const slugs = Array.from({ length: 600 }, (_, n) => `skill-${n}`);
  const directory = stallDirectory(
    Object.fromEntries(
      slugs.flatMap((slug) => [
        [`skills/${slug}/item.yaml`, itemYaml()],
        [`skills/${slug}/SKILL.md`, skillMd(slug)],
      ]),
    ),
  );
  const program = ['bash', '-c', 'ulimit -n 200 && exec "$0" "$@"', PROGRAM];
  const server = await serve(directory, [], { program });
  expect(server.err.text()).toContain('Ready: 600 items');
  expect(server.err.text()).not.toContain('item-problem');
  expect((await server.fetch('/api/install/skill-599')).status).toBe(200);
  expect(await server.stop()).toBe(0);
}, 120_000);
