// KOReader's progress sync, as its plugin speaks it: https://github.com/koreader/koreader/tree/master/plugins/kosync.koplugin
// After an answer that is neither 200 nor 401, KOReader queues the place and sends it again.
import type { KeyPrincipal } from '../platform/base/principal.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { textAnswer } from '../platform/http/answer.ts';
import { fieldsOf, parseJson, readBody } from '../platform/http/body.ts';
import type { FailureAnswer } from '../platform/http/failure.ts';
import { object, readFields, text } from '../platform/http/shape.ts';
import { findDevicePlace, keepDevicePlace } from './device-place.ts';
import type { Http } from './stall.ts';

/** The codes of KOReader's own server for the statuses of refusals, and for a request to open an account. */
const CODES: Readonly<Record<number, number>> = { 401: 2001, 400: 2003, 413: 2003 };
const OTHER = 2000;
const NO_ACCOUNTS = 2005;

/** The maximum size of a request with a place, in bytes. KOReader may add the title and the authors. */
const MOST_BYTES = 64 * 1024;

const NAME = { maxLength: 200 };
const PLACE = object({
  document: text('KOReader’s hash of the file.', { minLength: 1, maxLength: 64 }),
  progress: text('A pointer into the file.', { minLength: 1, maxLength: 2_000 }),
  device: text('The name of the e-reader.', NAME),
  device_id: text('The id of the e-reader.', NAME),
});

export const isKosyncPath = (path: string): boolean => path.startsWith('/kosync/');

const answer = (body: object, status = 200, headers: Readonly<Record<string, string>> = {}): Response =>
  textAnswer(JSON.stringify(body), status, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    ...headers,
  });

export const kosyncFailure = ({ status, body, headers }: FailureAnswer): Response =>
  answer({ code: CODES[status] ?? OTHER, message: body.error }, status, headers);

export const sendAuthorized = (): Response => answer({ authorized: 'OK' });

export const refuseAccount = ({ stall }: Http): Response =>
  answer(
    {
      code: NO_ACCOUNTS,
      message: `Cannot register here: log in with a device key as the password, which ${stall.origin()}/dashboard/devices makes`,
    },
    402,
  );

export async function sendPlace({ stall }: Http, device: KeyPrincipal, document: string): Promise<Response> {
  const place = await findDevicePlace(stall, device.accountId, document);
  if (place === null) return answer({});
  const { deviceId, receivedAt, ...told } = place;
  return answer({ ...told, device_id: deviceId, timestamp: Math.floor(receivedAt / 1000) });
}

export async function takePlace({ stall }: Http, request: Request, device: KeyPrincipal): Promise<Response> {
  const body = await readBody(request, MOST_BYTES, (bytes) => parseJson(bytes, 'its body'));
  const fields = fieldsOf(body);
  const { device_id: deviceId, ...told } = readFields(PLACE, fields, 'Cannot keep this place');
  const { document, progress, device: name } = told;
  const { percentage } = fields;
  if (typeof percentage !== 'number' || !Number.isFinite(percentage))
    throw Refusal.invalid('Cannot keep this place: "percentage" must be a number from 0 to 1');
  const place = {
    document,
    progress,
    device: name,
    deviceId,
    percentage: Math.min(1, Math.max(0, percentage)),
    receivedAt: stall.now(),
  };
  await keepDevicePlace(stall, device, place);
  return answer({ document, timestamp: Math.floor(place.receivedAt / 1000) });
}
