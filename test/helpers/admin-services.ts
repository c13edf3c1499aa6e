import { afterAll } from 'bun:test';
import { openStore } from '../../src/store.ts';
import { temporaryDirectory } from './harness.ts';
import { createOffice } from './office.ts';

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;
export const TODAY = Date.parse('2026-11-20T12:00:00.000Z');

/** The use cases over a real database, with a clock that only the test moves; it knows the items `heron` (a book) and `tool` (a skill). */
export async function openAdmin() {
  const directory = temporaryDirectory();
  const store = await openStore(directory);
  afterAll(store.close);
  let time = TODAY;
  const now = (): number => time;
  const items = [
    { kind: 'book', itemKey: 'heron-id', slug: 'heron', edition: null },
    { kind: 'skill', itemKey: 'tool', slug: 'tool', edition: null },
  ] as const;
  await store.write.publishItems({ items, at: time });
  return {
    directory,
    store,
    ...createOffice({ store, now, config: { data: directory } }),
    now,
    pass: (milliseconds: number) => (time += milliseconds),
  };
}

/** The refusal of an act: its kind and its sentence. */
export async function refusalOf(act: Promise<unknown> | (() => unknown)): Promise<string> {
  const promise = typeof act === 'function' ? Promise.try(act) : act;
  const error = await promise.then(
    () => null,
    (cause: unknown) => cause,
  );
  return error instanceof Error && 'kind' in error
    ? `${error.kind}: ${error.message}`
    : `not refused: ${error}`;
}
