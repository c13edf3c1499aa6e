import type { Static, TObject } from '@sinclair/typebox';
import { setImmediate } from 'node:timers/promises';
import { hasMore, hasMoreFields, isBeyond } from '../base/body-look.ts';
import { createCollector } from '../base/garbage.ts';
import { Refusal } from '../base/refusal.ts';
import { createQueue } from '../base/turn.ts';
import { ToldRefusal } from '../base/told.ts';
import type { Budgets } from './budget.ts';
import { readFields } from './shape.ts';

type Parse<Value> = (body: Uint8Array) => Value | Promise<Value>;

/**
 * Reads a whole body and parses it; large bodies are parsed one at a time. Refuses an incomplete body, and one of more than
 * `most` bytes. `place` is the memory reserved for the body, if any: if its promise `lost` rejects while the body arrives,
 * throws the same error.
 */
export async function readBody<Value>(
  request: Request,
  most: number,
  parse: Parse<Value>,
  place: BodyPlace | null = null,
): Promise<Value> {
  const received = await receive(request, most, place);
  checks.get(request)?.();
  // A compressed body may become as large as any.
  const isSmall = received.size <= SMALL && !request.headers.has('content-encoding');
  return isSmall ? parseReceived(received, parse) : parseInTurn(received, parse, place?.client ?? '');
}

const checks = new WeakMap<Request, () => void>();

/** Registers `check`, which runs once the request's body has arrived, maybe long after its headers, and may throw. */
export const whenRead = (request: Request, check: () => void): void => void checks.set(request, check);

/** Collects the garbage that parsing leaves: a body's chunks, bytes and text take about three times its size. */
const collect = createCollector(8 * 1024 ** 2);

/** Holds only bodies that have arrived, so that a slow sender delays nobody. */
const inTurn = createQueue();

/**
 * The bytes of a body in the chunks in which they came. They are joined only when parsed: bodies that wait would be held twice.
 */
type Received = { readonly chunks: readonly Uint8Array[]; readonly size: number };

async function parseReceived<Value>({ chunks, size }: Received, parse: Parse<Value>): Promise<Value> {
  const [first = new Uint8Array(), ...others] = chunks;
  return parse(others.length === 0 ? first : Buffer.concat(chunks, size));
}

/** Parses one body at a time, so that many that arrive together do not block the event loop together. Clients take turns. */
function parseInTurn<Value>(received: Received, parse: Parse<Value>, client: string): Promise<Value> {
  return inTurn(client, async () => {
    try {
      const value = await parseReceived(received, parse);
      if (value instanceof Uint8Array) collect(value.length);
      return value;
    } finally {
      collect(received.size);
    }
  });
}

async function receive(request: Request, most: number, place: BodyPlace | null): Promise<Received> {
  const length = request.headers.get('content-length');
  if (Number(length ?? 0) > most) throw tooLarge(most);
  if (length !== null && place === null) return readKnown(request);
  const reader = request.body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    while (reader !== undefined) {
      const read = reader.read();
      const { done, value } = await (place === null ? read : Promise.race([read, place.lost]));
      if (done) break;
      size += value.length;
      if (size > most) throw tooLarge(most);
      chunks.push(value);
      refuseCrumbs(chunks.length, size);
    }
    if (length === null) await checkEnd(request);
  } catch (error) {
    reader?.cancel().catch(() => {});
    // If the client has left, the error is not ours, and nobody reads the answer.
    throw request.signal.aborted ? cutShort() : error;
  }
  return { chunks, size };
}

/**
 * Refuses a body that arrives in tiny pieces. Bun hands over each chunk of a chunked body by itself, which takes 4 µs and 240
 * bytes of memory however short it is: a body of 250 KB in chunks of one byte took 60 MB. Packets are longer than 256 bytes.
 */
function refuseCrumbs(pieces: number, size: number): void {
  if (pieces > 512 + size / 256)
    throw Refusal.invalid('Cannot read the request: it comes in too many small pieces; send longer chunks');
}

/** Reads a body with a Content-Length in one call: a stream would take longer than all the rest of a small request. */
async function readKnown(request: Request): Promise<Received> {
  try {
    const bytes = await request.bytes();
    return { chunks: [bytes], size: bytes.length };
  } catch (error) {
    throw request.signal.aborted ? cutShort() : error;
  }
}

/**
 * Refuses a chunked body whose end is missing. Bun hands over such a body as complete, and aborts the request one turn of the
 * event loop later (oven-sh/bun#32887).
 */
async function checkEnd(request: Request): Promise<void> {
  await setImmediate();
  if (request.signal.aborted) throw cutShort();
}

const cutShort = (): ToldRefusal => new ToldRefusal('invalid-request', (r) => r.request.cutShort);

const tooSlow = (milliseconds: number): ToldRefusal =>
  new ToldRefusal('request-timeout', (r) => r.request.tooSlow({ seconds: milliseconds / 1000 }));

/**
 * The maximum size, in bytes, of a body on routes that take no files: 1 MiB, and a little more, which a route refuses in its
 * own words.
 */
const LARGEST_BODY = (1 << 20) + (1 << 16);

export function refuseLarge(request: Request): void {
  if (Number(request.headers.get('content-length') ?? 0) > LARGEST_BODY) throw tooLarge(1 << 20);
}

/** How many more bytes of a refused body are read: a browser that is still sending may not show the answer. */
const READ_ON = 1 << 20;

export async function readOn(request: Request): Promise<void> {
  let left = READ_ON;
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>)
    if ((left -= chunk.length) < 0) return;
}

export async function* streamBody(request: Request, most: number): AsyncGenerator<Uint8Array> {
  let [pieces, size] = [0, 0];
  try {
    for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > most) throw tooLarge(most);
      refuseCrumbs(++pieces, size);
      yield chunk;
    }
  } catch (error) {
    throw request.signal.aborted ? cutShort() : error;
  }
  checks.get(request)?.();
}

const tooLarge = (most: number): ToldRefusal =>
  new ToldRefusal('payload-too-large', (r) => r.request.tooLarge({ kib: Math.floor(most / 1024) }));

/**
 * Memory that is reserved for a client's body while it is read. `lost` rejects if the memory is given to another client, or if
 * reading takes too long; `leave` frees the memory.
 */
type BodyPlace = { readonly client: string; readonly lost: Promise<never>; readonly leave: () => void };

type Held = { size: number; readonly bodies: Set<() => void> };

/**
 * Creates a limit on the bodies that are read at the same time: `most` for their sizes together, in any unit, and
 * `milliseconds` for each. If there is no room, the client with the largest share loses its oldest body to a client with less,
 * so that a few slow senders do not block all others. If no client has more, throws the error of `lose`.
 */
export function createBodyRoom(most: number, lose: () => Error, milliseconds?: number) {
  const clients = new Map<string, Held>();
  let free = most;

  const takeBack = (client: string): boolean => {
    const [first, ...others] = clients.values();
    const largest = others.reduce((found, one) => (found && one.size > found.size ? one : found), first);
    const [oldest] = largest?.bodies ?? [];
    if (largest === undefined || largest.size <= (clients.get(client)?.size ?? 0)) return false;
    oldest?.();
    return true;
  };

  return (client: string, size: number): BodyPlace => {
    while (free < size) if (!takeBack(client)) throw lose();
    const { promise: lost, reject } = Promise.withResolvers<never>();
    // Prevents an unhandled rejection if nobody awaits `lost`.
    lost.catch(() => {});
    const held: Held = clients.getOrInsertComputed(client, () => ({ size: 0, bodies: new Set() }));
    const timer = milliseconds && setTimeout(() => reject(tooSlow(milliseconds)), milliseconds);
    const leave = (): void => {
      clearTimeout(timer);
      if (!held.bodies.delete(give)) return;
      free += size;
      held.size -= size;
      if (held.bodies.size === 0) clients.delete(client);
    };
    const give = (): void => {
      leave();
      reject(lose());
    };
    held.bodies.add(give);
    held.size += size;
    free -= size;
    return { client, lost, leave };
  };
}

/** Bodies of up to this many bytes reserve no memory and do not wait to be parsed: a crowd of them needs little memory. */
const SMALL = 16 * 1024;

/** The maximum number of bytes of all larger bodies that are read at the same time. */
const MOST_TOGETHER = 16 * 1024 * 1024;

export type ReadLarge = <Value>(request: Request, most: number, parse: Parse<Value>) => Promise<Value>;

/**
 * Creates a function that reads a body like `readBody`, where programs may send large ones. These share a limited memory, which
 * one client could otherwise fill with slow uploads, since Bun keeps a body until it is complete. At the limit, refuses with
 * `overloaded`.
 */
export function createLargeBodies({ addressOf }: Pick<Budgets, 'addressOf'>): ReadLarge {
  const enter = createBodyRoom(MOST_TOGETHER, full);
  return async (request, most, parse) => {
    const length = Number(request.headers.get('content-length') ?? most);
    if (length <= SMALL) return readBody(request, most, parse);
    const place = enter(addressOf(request).key, Math.min(length, most));
    return readBody(request, most, parse, place).finally(place.leave);
  };
}

const full = (): ToldRefusal => new ToldRefusal('overloaded', (r) => r.request.bodiesLater, 1);

export const noForm = (): ToldRefusal => new ToldRefusal('unsupported-media-type', (r) => r.request.noForm);

export const LONGEST_FORM = 64 * 1024;

/** The maximum number of fields of a form. `MOST_PARTS` is that of forms of the office and of forms with a file. */
export const MOST_FIELDS = 200;
export const MOST_PARTS = 2_000;

export const manyFields = (most: number): ToldRefusal =>
  new ToldRefusal('invalid-request', (r) => r.request.manyFields({ most }));

/** The fields of a form. `text` returns the first value of a field, '' if the field is missing. */
export type Form = Awaited<ReturnType<typeof readForm>>;

/**
 * Reads a form as browsers send it. Refuses another content type (415), more than 64 KiB (413) and more than 200 fields (400).
 */
export const readForm = (request: Request) => readLongForm(readBody, request, 0);

/** Reads a form like `readForm`, with room for `characters` more of any script: urlencoded, one takes up to 12 bytes. */
export async function readLongForm(readLarge: ReadLarge, request: Request, characters: number) {
  if (mediaTypeOf(request) !== 'application/x-www-form-urlencoded') throw noForm();
  const fields = await readLarge(request, LONGEST_FORM + 12 * characters, parseFields);
  const text = (name: string): string => fields.get(name) ?? '';
  const names = [...fields.keys()];
  return {
    text,
    isRepeated: new Set(names).size < names.length,
    trimmed: <Name extends string>(...names: readonly Name[]) =>
      Object.fromEntries(names.map((name) => [name, text(name).trim()])) as Record<Name, string>,
  };
}

function parseFields(body: Uint8Array): URLSearchParams {
  if (hasMoreFields(body, MOST_FIELDS)) throw manyFields(MOST_FIELDS);
  return new URLSearchParams(new TextDecoder().decode(body));
}

/**
 * Reads a form of the office, multipart/form-data (RFC 7578) or urlencoded. Refuses another content type (415), more than `most`
 * bytes (413), and more than 2,000 fields (400).
 */
export function readFormData(request: Request, most: number): Promise<FormData> {
  const type = request.headers.get('content-type') ?? '';
  const boundary = mediaTypeOf(request) === 'multipart/form-data' ? boundaryOf(type) : null;
  return readBody(request, most, (body) => {
    const isLong =
      boundary === null
        ? hasMoreFields(body, MOST_PARTS)
        : // The end of the form is marked too.
          hasMore(body, Buffer.from(`--${boundary}`), MOST_PARTS + 1);
    if (isLong) throw manyFields(MOST_PARTS);
    const form = new Response(body, { headers: { 'Content-Type': type } });
    // Deprecated since it reads a body of any size; this one is limited.
    // oxlint-disable-next-line typescript/no-deprecated
    return (form.formData() as Promise<FormData>).catch(() => {
      throw noForm();
    });
  });
}

/**
 * Returns the boundary that the Content-Type of a multipart form names (RFC 2046 §5.1.1). Refuses further parameters: no
 * browser sends them, and parsers disagree about them.
 */
export function boundaryOf(type: string): string {
  const [, , boundary] = /^[^;]*;\s*boundary=("?)([\w'()+,./:=?-]{1,70})\1$/i.exec(type) ?? [];
  if (boundary === undefined) throw noForm();
  return boundary;
}

export const LONGEST_JSON = 128 * 1024;

export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** The bounds of JSON in requests. No request needs more. */
export const JSON_BOUNDS = { depth: 32, values: 2_000 };

/**
 * Reads a request's JSON body and checks it against a shape. Refuses another content type (415) and more than 128 KiB (413).
 * With 400, refuses malformed JSON, JSON beyond `JSON_BOUNDS`, and a field that does not fit: that sentence begins with `act`,
 * such as "Cannot ask".
 */
export async function readJson<Shape extends TObject>(
  readLarge: ReadLarge,
  request: Request,
  shape: Shape,
  act: string,
): Promise<Static<Shape>> {
  if (mediaTypeOf(request) !== 'application/json')
    throw new Refusal(
      'unsupported-media-type',
      'Cannot read the request: send it with "Content-Type: application/json"',
    );
  const body = await readLarge(request, LONGEST_JSON, (bytes) => parseJson(bytes, 'its body'));
  return readFields(shape, fieldsOf(body), act);
}

/** Parses JSON. Refuses malformed JSON, with `name` in the sentence, and JSON beyond `JSON_BOUNDS` (400). */
export function parseJson(text: Uint8Array, name: string): unknown {
  const value = jsonOf(text);
  if (value === undefined) throw Refusal.invalid(`Cannot parse the request: ${name} is not JSON`);
  return value;
}

export function jsonOf(text: Uint8Array): unknown {
  if (isBeyond(text, JSON_BOUNDS))
    throw Refusal.invalid(
      `Cannot read the request: its JSON holds more than ${JSON_BOUNDS.values.toLocaleString('en')} values, or nests them more than ${JSON_BOUNDS.depth} deep; send less`,
    );
  try {
    return JSON.parse(new TextDecoder().decode(text));
  } catch {
    return undefined;
  }
}

export const mediaTypeOf = (request: Request): string | undefined =>
  request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
