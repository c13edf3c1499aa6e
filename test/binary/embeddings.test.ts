import { expect, test } from 'bun:test';
import { openEmbeddings } from '../asking/scripted-embeddings.ts';
import { parseEvents, until } from '../helpers/harness.ts';
import { addReader, buildProgram, run, serve, stallDirectory } from './program.ts';

await buildProgram();
const KEY = 'sk-very-secret-key';
const server = await openEmbeddings([/heron|sleepy ostrich/]);
const env = {
  BOOKSTALL_EMBEDDINGS: server.url,
  BOOKSTALL_EMBEDDINGS_MODEL: 'script-1',
  BOOKSTALL_EMBEDDINGS_KEY: KEY,
  BOOKSTALL_EMBEDDINGS_TIMEOUT: '20000',
  HTTP_PROXY: 'http://127.0.0.1:1',
};

test('the program finds by meaning, and the doctor names the server, but not its key', async () => {
  const directory = stallDirectory();
  const stall = await serve(directory, [], { env });
  const reader = await addReader(stall, 'reader@example.org', 'paid-book');
  const ask = async (): Promise<unknown> => {
    const response = await stall.fetch('/api/agent/fetch', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...reader.headers },
      body: JSON.stringify({ book_id: 'paid-id', query: 'Does the sleepy ostrich freeze on one leg?' }),
    });
    return parseEvents(await response.text()).at(-1)?.data['outcome'];
  };
  await until(async () => (await ask()) === 'quoted');
  const doctor = await run(['doctor', '--json'], { cwd: directory });
  const lines = JSON.parse(doctor.out) as { check: string; status: string; sentence: string }[];
  expect(lines.find(({ check }) => check === 'embeddings')).toMatchObject({
    status: 'ok',
    sentence: expect.stringMatching(`"script-1" at ${server.url} gave a vector of 64 numbers`) as string,
  });
  server.play((response) => void response.destroy());
  const again = await run(['doctor'], { cwd: directory });
  expect(again.out).toContain(`Cannot ask the model "script-1" at ${server.url}: it cannot be reached`);
  expect(await stall.stop()).toBe(0);
  expect(stall.err.text() + stall.out.text() + doctor.out + again.out).not.toContain(KEY);
});
