import { createContentDecoder } from '../../../catalog/file-content.ts';
import type { OpenedFile } from '../../../service/delivery/item-file.ts';
import { sliceBlob, STALLED } from '../../bytes.ts';
import { createByteStream } from '../../byte-stream.ts';
import type { Connections } from '../../connection.ts';
import type { RequestLog } from '../../request-log.ts';

/** The dependencies of an answer that is sent as fast as its reader takes it. */
export type StreamDeps = { readonly connections: Connections; readonly requestLog: RequestLog };

/** Sends one file of an item: with its length if the item is in memory, else as fast as the reader takes it. */
export async function sendFile(
  request: Request,
  { file, artefact, start, end }: OpenedFile,
  { connections, requestLog }: StreamDeps,
  { route, headers }: { readonly route: string; readonly headers: Readonly<Record<string, string>> },
): Promise<Response> {
  connections.allowSilence(request, STALLED);
  const decode = createContentDecoder(file);
  const blob = sliceBlob(artefact, { start, end });
  if (blob !== null) {
    const bytes = decode(await blob.bytes(), true);
    return new Response(bytes, { headers: { ...headers, 'Content-Length': String(bytes.length) } });
  }
  const body = createByteStream(
    { open: artefact.openReader, start, end, decode },
    requestLog.watch(request, route),
  );
  return new Response(body, { headers });
}
