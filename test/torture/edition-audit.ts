// The editions of the changing book as a stall lists and serves them, held against what was acknowledged before.
import { CHANGING, readEdition } from './content.ts';

/** An edition as `GET /api/items/<slug>/editions` lists it; its version is its number. */
export type Listed = { readonly digest: string; readonly version: string; readonly state: string };

/** The result of a round: the edition it named, and the editions that may be served after it. */
export type Expected = {
  /** The editions before, newest first. */
  readonly before: readonly Listed[];
  readonly allowed: readonly number[];
  /** The edition that may have been withdrawn, and whether that was acknowledged. */
  readonly withdrawn: { readonly number: number; readonly isSure: boolean } | null;
};

/** How many editions of an item keep their bodies, the served one included. */
export const KEEP = 4;

export async function listEditions(url: string): Promise<readonly Listed[]> {
  const answer = await fetch(`${url}/api/items/${CHANGING}/editions`);
  return ((await answer.json()) as { editions: readonly Listed[] }).editions;
}

/** Faults of a stall that was started after a kill. */
export async function auditEditions(
  url: string,
  { before, allowed, withdrawn }: Expected,
  banned: ReadonlyMap<number, string>,
): Promise<readonly string[]> {
  const after = await listEditions(url);
  const stateOf = new Map(after.map(({ version, state }) => [Number(version), state]));
  const served = after.filter(({ state }) => state === 'served').map(({ version }) => Number(version));
  const mayMiss = (number: number): boolean => withdrawn?.number === number;
  const known = [...new Set([...allowed, ...before.map(({ version }) => Number(version))])];
  return [
    ...(served.length === 1 && allowed.includes(served[0]!)
      ? []
      : [`Edition ${served.join(' and ')} is listed as served, not ${allowed.join(' or ')}`]),
    ...(await auditBody(url, null, served[0] ?? 0)),
    ...before
      .filter(({ version }) => !stateOf.has(Number(version)) && !mayMiss(Number(version)))
      .map(({ version }) => `Edition ${version} is listed no more`),
    ...after
      .filter(({ version }) => !known.includes(Number(version)))
      .map(({ version }) => `Edition ${version} came from nowhere`),
    ...toKeep(before, served[0] ?? 0, withdrawn?.number ?? null)
      .filter((number) => !['served', 'kept'].includes(stateOf.get(number) ?? ''))
      .map((number) => `Edition ${number} is ${stateOf.get(number) ?? 'lost'}, not kept`),
    ...(await Promise.all(after.map((edition) => auditListed(url, edition)))).flat(),
    ...(withdrawn?.isSure === true && stateOf.has(withdrawn.number)
      ? [`Edition ${withdrawn.number} is listed, though it was withdrawn`]
      : []),
    ...(await Promise.all([...banned].map(([number, digest]) => auditBanned(url, number, digest)))).flat(),
  ];
}

/** The numbers of the editions that must have their bodies: the served one, and the newest of those that had theirs. */
function toKeep(before: readonly Listed[], served: number, withdrawn: number | null): readonly number[] {
  const had = before.filter(({ state }) => state !== 'gone').map(({ version }) => Number(version));
  const others = had.filter((number) => number !== served && number !== withdrawn);
  return [served, ...others.slice(0, KEEP - 1)];
}

async function auditListed(url: string, { digest, version, state }: Listed): Promise<readonly string[]> {
  return state === 'gone' ? auditStatus(url, version, digest, 410) : auditBody(url, digest, Number(version));
}

async function auditBody(url: string, digest: string | null, number: number): Promise<readonly string[]> {
  const read = await readEdition(url, digest).catch((error: Error) => error.message);
  return read === number ? [] : [`Edition ${number} reads: ${read}`];
}

async function auditBanned(url: string, number: number, digest: string): Promise<readonly string[]> {
  return auditStatus(url, String(number), digest, 410);
}

async function auditStatus(
  url: string,
  name: string,
  digest: string,
  wanted: number,
): Promise<readonly string[]> {
  const { status } = await fetch(`${url}/api/install/${CHANGING}?edition=${digest}`, { method: 'HEAD' });
  return status === wanted ? [] : [`Edition ${name} is answered ${status}, not ${wanted}`];
}
