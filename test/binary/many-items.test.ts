import { beforeAll, expect, test } from 'bun:test';
import { itemYaml, skillMd } from '../helpers/harness.ts';
import { openWire } from '../fixtures/raw-http/wire.ts';
import { buildProgram, PROGRAM, serve, stallDirectory } from './program.ts';

beforeAll(buildProgram, 300_000);

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
});

test.each([
  ['an install', '/api/install/lamp'],
  ['an EPUB', '/api/books/bk_oil/epub'],
])('with every descriptor used up by connections, %s is 503 until some close', async (_, path) => {
  const directory = stallDirectory({
    'skills/lamp/item.yaml': itemYaml(),
    'skills/lamp/SKILL.md': skillMd('lamp'),
    'books/oil/item.yaml': itemYaml({ id: 'bk_oil' }),
    'books/oil/oil.md': '# Oil\n\nText.\n',
  });
  const program = ['bash', '-c', 'ulimit -n 100 && exec "$0" "$@"', PROGRAM];
  const server = await serve(directory, [], { program });
  const target = ` ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const first = await openWire(server.url);
  first.send('GET');
  const others = await Promise.all(Array.from({ length: 150 }, () => openWire(server.url)));
  // A connection is accepted with its first byte.
  others.forEach(({ send }) => send('G'));
  await Bun.sleep(300);
  first.send(target);
  await first.until(1);
  const [refused] = first.answers;
  expect([refused!.status, refused!.headers.get('retry-after')]).toEqual([503, '5']);
  expect(JSON.parse(refused!.body)).toMatchObject({ code: 'OVERLOADED' });
  others.forEach(({ destroy }) => destroy());
  await Bun.sleep(300);
  first.send(`GET${target}`);
  await first.until(2);
  expect(first.answers[1]!.status).toBe(200);
  expect(await server.stop()).toBe(0);
});
