import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { boundaryOf, manyFields, mediaTypeOf, MOST_PARTS, noForm, streamBody } from './body.ts';

/**
 * A form with at most one file. `text` returns the first value of a field, trimmed, or '' if it is missing. `file` has the name
 * that the browser sent and the path on disk; null if no file was sent.
 */
export type SentForm = {
  readonly texts: (name: string) => readonly string[];
  readonly text: (name: string) => string;
  readonly file: { readonly name: string; readonly path: string } | null;
};

const LIMITS = { files: 1, fields: MOST_PARTS, fieldSize: 64 * 1024 };

/**
 * Reads a multipart/form-data form (RFC 7578) while it arrives, and writes its file to `folder`. Refuses another content type
 * and a damaged form with 415, more than `most` bytes with 413, more than 2,000 fields and an incomplete form with 400.
 */
export async function readSentForm(request: Request, folder: string, most: number): Promise<SentForm> {
  if (mediaTypeOf(request) !== 'multipart/form-data') throw noForm();
  const [{ Busboy }, { pipeline }] = await Promise.all([
    import('@fastify/busboy'),
    import('node:stream/promises'),
  ]);
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  boundaryOf(headers['content-type']);
  const parser = new Busboy({ headers, limits: LIMITS });
  const fields = new Map<string, readonly string[]>();
  let file: SentForm['file'] = null;
  let written: Promise<void> = Promise.resolve();
  parser.on('field', (name, value) => void fields.set(name, [...(fields.get(name) ?? []), value]));
  parser.on('fieldsLimit', () => parser.destroy(manyFields(MOST_PARTS)));
  parser.on('file', (_, body, name) => {
    // If no file was chosen, a browser sends a file without a name.
    if (!name) return void body.resume();
    const path = join(folder, 'sent');
    file = { name, path };
    written = pipeline(body, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    written.catch((error: Error) => parser.destroy(error));
  });
  try {
    await pipeline(Readable.from(streamBody(request, most)), parser);
    await written;
  } catch (error) {
    // Errors of the parser are plain ones without a code: the form is damaged.
    throw error instanceof Error && error.constructor === Error && !('code' in error) ? noForm() : error;
  }
  const texts = (name: string): readonly string[] => fields.get(name) ?? [];
  return { texts, text: (name) => texts(name)[0]?.trim() ?? '', file };
}
