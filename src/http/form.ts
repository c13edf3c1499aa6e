import { Refusal } from '../refusal.ts';
import { readBody } from './body.ts';

/** The largest form that is read, in bytes. */
const MOST = 64 * 1024;

/** The fields of a form: the first text of each, '' if it is missing. */
export type Form = { readonly text: (name: string) => string };

/** Reads a form as browsers send it. Refuses another content type (415) and more than `most` bytes (413). */
export async function readForm(request: Request, most: number = MOST): Promise<Form> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded')
    throw new Refusal('unsupported-media-type', 'Cannot read the form: send it from the page it belongs to');
  const fields = new URLSearchParams(new TextDecoder().decode(await readBody(request, most)));
  return { text: (name) => fields.get(name) ?? '' };
}
