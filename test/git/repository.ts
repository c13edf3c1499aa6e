// A repository in memory, served over smart HTTP by the module git alone.
import { gunzipSync } from 'node:zlib';
import { deflateChunk, END_OF_DEFLATE } from '../../src/archive/deflate.ts';
import { adler32Combine, ADLER32_EMPTY } from '../../src/git/adler32.ts';
import { ADVERTISEMENT_TYPE, advertise } from '../../src/git/advertisement.ts';
import { commitObject, createObject, type GitObject, type ObjectId } from '../../src/git/object.ts';
import { entryHeader, packEntry, packHeader, ZLIB_HEADER, zlibTrailer } from '../../src/git/pack.ts';
import { FLUSH, SIDE_BAND_ROOM, sideBandHeader } from '../../src/git/packet-line.ts';
import { createSha1 } from '../../src/git/sha1.ts';
import { buildTrees } from '../../src/git/tree.ts';
import { parseUploadRequest } from '../../src/git/upload-request.ts';
import { answerUpload, UPLOAD_PACK_RESULT_TYPE, uploadError } from '../../src/git/upload-response.ts';
import type { Files } from '../harness.ts';

const CHUNK = 40_000;

/** A blob's entry, deflated in chunks as the archives are. */
function blobEntry(body: Uint8Array): Buffer {
  const parts: Uint8Array[] = [entryHeader('blob', body.length), ZLIB_HEADER];
  let adler32 = ADLER32_EMPTY;
  for (let at = 0; at < body.length; at += CHUNK) {
    const chunk = body.subarray(at, at + CHUNK);
    adler32 = adler32Combine(adler32, Bun.hash.adler32(chunk), chunk.length);
    parts.push(deflateChunk(chunk));
  }
  return Buffer.concat([...parts, END_OF_DEFLATE, zlibTrailer(adler32)]);
}

function packOf(entries: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat([packHeader(entries.length), ...entries]);
  return Buffer.concat([body, createSha1().update(body).digest()]);
}

/** Serves one branch; `commit` adds a commit with these files, and older ones are forgotten. */
export function serveRepository() {
  let tip: ObjectId = '';
  let isShallow = false;
  let pack: Buffer = Buffer.alloc(0);
  let commits = 0;
  const commit = (files: Files): ObjectId => {
    const blobs = Object.entries(files).map(([path, content]) => {
      const blob = createObject('blob', Buffer.from(content));
      return { path, id: blob.id, executable: String(content).startsWith('#!'), blob };
    });
    const { root, objects } = buildTrees(blobs);
    const parent = tip === '' ? null : tip;
    const made: GitObject = commitObject({
      tree: root,
      parent,
      name: 'A <publisher>\n',
      email: 'stall@127.0.0.1',
      at: 1_700_000_000_000 + commits++ * 1000,
      message: 'A title 1.0',
    });
    const unique = new Map(blobs.map(({ blob }) => [blob.id, blob]));
    const entries = [
      packEntry(made),
      ...objects.map(packEntry),
      ...[...unique.values()].map(({ body }) => blobEntry(body)),
    ];
    pack = packOf(entries);
    isShallow = true;
    return (tip = made.id);
  };
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      if (request.method === 'GET')
        return new Response(advertise(tip, isShallow), { headers: { 'Content-Type': ADVERTISEMENT_TYPE } });
      const sent = new Uint8Array(await request.arrayBuffer());
      const body = request.headers.get('content-encoding') === 'gzip' ? gunzipSync(sent) : sent;
      return new Response(respond(body), { headers: { 'Content-Type': UPLOAD_PACK_RESULT_TYPE } });
    },
  });
  const respond = (body: Uint8Array): Uint8Array<ArrayBuffer> => {
    try {
      const answer = answerUpload(parseUploadRequest(body), tip, isShallow);
      const sent = answer.pack === null ? [] : sideBand(answer.pack === 'whole' ? pack : packOf([]));
      return new Uint8Array(Buffer.concat([Buffer.from(answer.lines), ...sent]));
    } catch (error) {
      return new Uint8Array(Buffer.from(uploadError((error as Error).message)));
    }
  };
  return { url: `http://127.0.0.1:${server.port}/a.git`, commit, stop: () => server.stop(true) };
}

function sideBand(bytes: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += SIDE_BAND_ROOM) {
    const part = bytes.subarray(at, at + SIDE_BAND_ROOM);
    lines.push(sideBandHeader(1, part.length), part);
  }
  return [...lines, Buffer.from(FLUSH)];
}
