// Readers who never stop: they install, list their library and ask, and record each acknowledgement with its time.
import type { Chance } from './chance.ts';
import { FREE_BOOK } from './content.ts';

/** Times are milliseconds since 1970; `done` is the outcome of a finished answer, else null. */
export type Question = {
  readonly keyId: number;
  readonly from: number;
  readonly to: number;
  readonly done: string | null;
};
export type Install = { readonly fetchId: string; readonly at: number };

export type Ear = { readonly questions: Question[]; readonly installs: Install[]; readonly faults: string[] };

type Key = { readonly id: string; readonly text: string };

const SLUGS = ['free-book', 'changing-book'];

/** Sends requests with one key until told to stop, or until the server is gone. */
export async function readOn(
  url: string,
  key: Key,
  chance: Chance,
  isOver: () => boolean,
  ear: Ear,
): Promise<void> {
  const headers = { Authorization: `Bearer ${key.text}` };
  while (!isOver()) {
    try {
      if (chance.odds(0.4)) await ask(url, key, headers, ear);
      else if (chance.odds(0.7)) await install(url, chance.among(SLUGS), headers, ear);
      else await (await fetch(`${url}/api/cli/library`, { headers })).text();
    } catch {
      // The server was killed during the request: nothing was acknowledged.
      if (isOver()) return;
      await Bun.sleep(5);
    }
  }
}

async function ask(url: string, key: Key, headers: Record<string, string>, ear: Ear): Promise<void> {
  const from = Date.now();
  const answer = await fetch(`${url}/api/agent/fetch`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ book_id: FREE_BOOK, query: 'Why does the heron stand on one leg?' }),
  });
  if (answer.status !== 200) return expectOf(answer.status, 'a question', ear);
  let text = '';
  let to = 0;
  try {
    for await (const chunk of answer.body ?? []) {
      to ||= Date.now();
      text += Buffer.from(chunk).toString();
    }
  } catch {
    // Cut off by the kill; the events that arrived count.
  }
  const done = /event: done\ndata: .*"outcome":"(\w+)"/.exec(text)?.[1] ?? null;
  if (to > 0) ear.questions.push({ keyId: Number(key.id), from, to, done });
}

async function install(url: string, slug: string, headers: Record<string, string>, ear: Ear): Promise<void> {
  const answer = await fetch(`${url}/api/install/${slug}`, { headers });
  if (answer.status !== 200) return expectOf(answer.status, `an install of "${slug}"`, ear);
  const tar = Bun.gunzipSync(await answer.arrayBuffer());
  const at = Date.now();
  const fetchId =
    /"fetchId":"([^"]+)"/.exec(Buffer.from(tar.subarray(0, 2048)).toString('latin1'))?.[1] ?? '';
  ear.installs.push({ fetchId, at });
}

/** A key that was just revoked is refused, and a stream beyond the limit waits; nothing else is allowed. */
function expectOf(status: number, what: string, ear: Ear): void {
  if (![401, 429, 503].includes(status)) ear.faults.push(`${what} was answered ${status}`);
}
