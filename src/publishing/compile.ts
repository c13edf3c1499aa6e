import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32Combine, deflateChunk, END_OF_DEFLATE } from '../catalog/archive/gzip.ts';
import { TAR_END, tarHeader, tarPadding } from '../catalog/archive/tar.ts';
import { createZip } from '../catalog/archive/zip.ts';
import type { ItemFile } from '../catalog/item.rule.ts';
import {
  type ArchiveKind,
  type Artefact,
  byArchiveKind,
  createHashingWriter,
  type HashingWriter,
  placeArtefact,
  temporaryFile,
} from '../catalog/artefact.ts';
import { readChunks } from '../catalog/file-scan.ts';
import { createPackBody } from '../installing/git/pack-body.ts';

/** Thrown when a file changed since it was hashed. The message is its path. */
export class ChangedWhileRead extends Error {
  override readonly name = 'ChangedWhileRead';
}

type Archives = {
  readonly artefacts: Readonly<Record<ArchiveKind, Artefact>>;
  readonly json: readonly { readonly start: number; readonly end: number }[];
};

/**
 * Writes all archives of an item. Each file is read once, and each chunk deflated once for all archives, in memory that
 * does not depend on the files. If it throws ChangedWhileRead or a system error, no unfinished file is left.
 */
export function compileArchives(job: {
  readonly folder: string;
  readonly slug: string;
  readonly files: readonly ItemFile[];
  readonly packed: readonly ItemFile[];
  readonly dataDirectory: string;
  readonly names: Readonly<Record<ArchiveKind, string>>;
}): Archives {
  const output = openOutput(job.dataDirectory, job.names);
  try {
    const tar = createTarBody(output.writers.tar);
    const zip = createZip(output.writers.zip.write);
    const fileJson = createFileJson(output.writers.files.write);
    const pack = createPackBody(output.writers.pack.write);
    const packed = new Set(job.packed);
    const writers = { tar, zip, fileJson, pack };
    const json = job.files.map((file) => compileFile(job, file, packed.has(file), writers));
    zip.finish();
    fileJson.finish();
    const [tree, objects] = [pack.endTree(), pack.finish()];
    const content = tree === null ? null : { tree, objects };
    return { artefacts: output.commit({ tar: tar.finish(), pack: { content } }), json };
  } catch (error) {
    output.discard();
    throw error;
  }
}

type Writers = {
  readonly tar: TarBody;
  readonly zip: ReturnType<typeof createZip>;
  readonly fileJson: ReturnType<typeof createFileJson>;
  readonly pack: ReturnType<typeof createPackBody>;
};

function compileFile(
  { folder, slug }: { readonly folder: string; readonly slug: string },
  file: ItemFile,
  isPacked: boolean,
  { tar, zip, fileJson, pack }: Writers,
) {
  const hasher = new Bun.CryptoHasher('sha256');
  const path = `${slug}/${file.path}`;
  const zipped = zip.addFile({ path, executable: file.executable });
  const record = fileJson.addFile(file);
  const blob = pack.addFile(file, isPacked);
  let crc32 = 0;
  let size = 0;
  tar.begin(tarHeader(path, file.size, file.executable));
  readChunks(join(folder, file.path), (chunk) => {
    hasher.update(chunk);
    size += chunk.length;
    if (size > file.size) throw new ChangedWhileRead(file.path);
    crc32 = Bun.hash.crc32(chunk, crc32);
    const deflated = deflateChunk(chunk);
    tar.push(deflated);
    zipped.push(deflated);
    blob.push(chunk, deflated);
    record.content(chunk);
  });
  if (hasher.digest('hex') !== file.sha256) throw new ChangedWhileRead(file.path);
  tar.end({ crc32, size });
  zipped.end({ crc32, size });
  blob.end();
  return record.end();
}

/**
 * Writes the compressed tar of an item's files, ended by END_OF_DEFLATE. Each download puts a small file about itself, the
 * install record, before these bytes.
 */
function createTarBody(writer: HashingWriter) {
  let crc32 = 0;
  let rawSize = 0;
  let padding: Uint8Array = new Uint8Array(0);
  const account = (part: { crc32: number; size: number }): void => {
    crc32 = crc32Combine(crc32, part.crc32, part.size);
    rawSize += part.size;
  };
  const putBlocks = (bytes: Uint8Array): void => {
    // The padding is deflated with the next header: one small chunk a file instead of two.
    const blocks = Buffer.concat([padding, bytes]);
    account({ crc32: Bun.hash.crc32(blocks), size: blocks.length });
    writer.write(deflateChunk(blocks));
  };
  return {
    begin: (header: Uint8Array) => putBlocks(header),
    push: (deflated: Uint8Array) => writer.write(deflated),
    end(content: { readonly crc32: number; readonly size: number }) {
      account(content);
      padding = tarPadding(content.size);
    },
    finish() {
      putBlocks(TAR_END);
      writer.write(END_OF_DEFLATE);
      return { crc32, rawSize };
    },
  };
}

type TarBody = ReturnType<typeof createTarBody>;

type Described = {
  readonly [kind in ArchiveKind]?: { crc32: number; rawSize: number } | { content: Artefact['content'] };
};

function openOutput(dataDirectory: string, names: Readonly<Record<ArchiveKind, string>>) {
  const opened: Partial<Record<ArchiveKind, { temporary: string; writer: HashingWriter }>> = {};
  const open = (kind: ArchiveKind): HashingWriter => {
    const temporary = temporaryFile(dataDirectory);
    const writer = createHashingWriter(temporary);
    opened[kind] = { temporary, writer };
    return writer;
  };
  const discard = (): void => {
    for (const { temporary, writer } of Object.values(opened)) {
      writer.abandon();
      rmSync(temporary, { force: true });
    }
  };
  const commitOne = (kind: ArchiveKind, more: Described): Artefact => {
    const output = opened[kind];
    if (output === undefined) throw new Error(`No output for ${kind}`);
    const { size, sha256 } = output.writer.finish();
    const artefact = { kind, name: names[kind], size, sha256, crc32: 0, rawSize: size, ...more[kind] };
    placeArtefact(dataDirectory, artefact, output.temporary);
    return artefact;
  };
  try {
    const writers = byArchiveKind(open);
    const commit = (more: Described) => byArchiveKind((kind) => commitOne(kind, more));
    return { writers, discard, commit };
  } catch (error) {
    discard();
    throw error;
  }
}

/**
 * Creates a writer for an item's file JSON, `{"files":[…]}`, which passes the bytes to `write`. It encodes each file in
 * chunks, so that no file is in memory as a whole.
 */
export function createFileJson(write: (bytes: Uint8Array) => void) {
  let position = 0;
  let files = 0;
  const put = (text: string): void => {
    const bytes = Buffer.from(text);
    position += bytes.length;
    write(bytes);
  };
  put('{"files":[');
  return {
    /**
     * Begins the record of a file. Pass its bytes to `content` in order; `end` closes the record and returns its range of
     * bytes.
     */
    addFile(file: ItemFile) {
      put(files++ === 0 ? '\n' : ',\n');
      const start = position;
      put(`{"path":${JSON.stringify(file.path)},"content":"`);
      const encode = file.text ? createTextEncoder() : createBase64Encoder();
      return {
        content: (bytes: Buffer): void => put(encode(bytes, false)),
        end() {
          put(
            `${encode(Buffer.alloc(0), true)}","sha256":"${file.sha256}"${file.text ? '' : ',"encoding":"base64"'}}`,
          );
          return { start, end: position };
        },
      };
    },
    finish: () => put('\n]}\n'),
  };
}

type Encode = (bytes: Buffer, isLast: boolean) => string;

function createTextEncoder(): Encode {
  // With ignoreBOM a byte order mark is kept, so that `content` gives exactly the file's bytes. The decoder never throws:
  // if the bytes are no UTF-8 any more, the file's hash shows it.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return (bytes, isLast) => JSON.stringify(decoder.decode(bytes, { stream: !isLast })).slice(1, -1);
}

function createBase64Encoder(): Encode {
  let rest: Buffer = Buffer.alloc(0);
  return (bytes, isLast) => {
    const joined = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    const whole = isLast ? joined.length : joined.length - (joined.length % 3);
    rest = Buffer.from(joined.subarray(whole));
    return joined.toString('base64', 0, whole);
  };
}
