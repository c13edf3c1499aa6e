// A repository in memory, served over smart HTTP by the module git alone.
import { gunzipSync } from 'node:zlib';
import { deflateChunk, END_OF_DEFLATE } from '../../../src/catalog/archive/gzip.ts';
import {
  ADLER32_EMPTY,
  adler32Combine,
  entryHeader,
  packEntry,
  packHeader,
  ZLIB_HEADER,
  zlibTrailer,
} from '../../../src/installing/git/pack.ts';
import {
  advertise,
  ADVERTISEMENT_TYPE,
  answerUpload,
  listRefs,
  parseUploadRequest,
  type ProtocolVersion,
  UPLOAD_PACK_RESULT_TYPE,
  uploadError,
} from '../../../src/installing/git/upload-response.ts';
import {
  BEGINNING,
  buildTrees,
  commitObject,
  createObject,
  createSha1,
  EMPTY_TREE,
  type GitObject,
  type History,
  jointAfter,
  type ObjectId,
} from '../../../src/installing/git/object.ts';
import { FLUSH, SIDE_BAND_ROOM, sideBandHeader } from '../../../src/installing/git/packet-line.ts';
import type { Files } from '../../helpers/harness.ts';

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

/** Serves one branch; `commit` adds an edition with these files, and forgets the files of those before. */
export function serveRepository() {
  let history: History = { tip: '', joints: [], tags: [] };
  let last: GitObject | null = null;
  let pack: Buffer = Buffer.alloc(0);
  let commits = 0;
  const commit = (files: Files): ObjectId => {
    const blobs = Object.entries(files).map(([path, content]) => {
      const blob = createObject('blob', Buffer.from(content));
      const mode = String(content).startsWith('#!') ? '100755' : '100644';
      return { path, id: blob.id, mode, blob } as const;
    });
    const { root, objects } = buildTrees(blobs);
    const joints = last === null ? [BEGINNING] : [jointAfter(last), ...history.joints];
    last = commitObject({
      tree: root,
      parents: joints.map((joint) => joint.commit.id),
      name: 'A <publisher>\n',
      email: 'stall@127.0.0.1',
      at: 1_700_000_000_000 + commits++ * 1000,
      message: `A title ${commits}.0`,
    });
    history = { tip: last.id, joints, tags: [] };
    const unique = new Map(blobs.map(({ blob }) => [blob.id, blob]));
    pack = packOf([
      ...[last, ...joints.map((joint) => joint.commit), EMPTY_TREE, ...objects].map(packEntry),
      ...[...unique.values()].map(({ body }) => blobEntry(body)),
    ]);
    return last.id;
  };
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const isSecond = request.headers.get('git-protocol') === 'version=2';
      if (request.method === 'GET')
        return new Response(advertise(history, isSecond ? 2 : 0), {
          headers: { 'Content-Type': ADVERTISEMENT_TYPE },
        });
      const sent = new Uint8Array(await request.arrayBuffer());
      const body = request.headers.get('content-encoding') === 'gzip' ? gunzipSync(sent) : sent;
      const answer = respond(body, isSecond ? 2 : 0);
      return new Response(answer, { headers: { 'Content-Type': UPLOAD_PACK_RESULT_TYPE } });
    },
  });
  const respond = (body: Uint8Array, version: ProtocolVersion): Uint8Array<ArrayBuffer> | string => {
    try {
      const request = parseUploadRequest(body, version);
      if (request.asks === 'refs') return listRefs(history);
      const answer = answerUpload(request, history);
      const sent = answer.pack === null ? [] : sideBand(answer.pack.length > 0 ? pack : packOf([]));
      return new Uint8Array(Buffer.concat([Buffer.from(answer.lines), ...sent]));
    } catch (error) {
      return uploadError((error as Error).message);
    }
  };
  return {
    url: `http://127.0.0.1:${server.port}/a.git`,
    commit,
    /** Loses the commits made so far, as a database restored from an old backup does. */
    forget: () => (last = null),
    stop: () => server.stop(true),
  };
}

function sideBand(bytes: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += SIDE_BAND_ROOM) {
    const part = bytes.subarray(at, at + SIDE_BAND_ROOM);
    lines.push(sideBandHeader(1, part.length), part);
  }
  return [...lines, Buffer.from(FLUSH)];
}
