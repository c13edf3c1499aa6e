// A package as npm's client takes it: a gzipped tar of one folder `package`, https://docs.npmjs.com/cli/v11/commands/npm-pack.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TAR_END, tarHeader, tarPadding } from '../catalog/archive/tar.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { VERSION } from '../platform/base/version.ts';
import { loadZlib } from '../platform/base/runtime.ts';

/** The path of the readers' program in one file: inside the executable, or in the folder that `bun run build` writes. */
const BUNDLE = join(import.meta.dir, Bun.isStandaloneExecutable ? 'reader.mjs' : '../../dist/reader.mjs');

const PACKAGE = {
  name: 'bookstall',
  version: VERSION,
  description: 'Install books and agent skills from a Bookstall, and ask its books',
  license: 'MIT',
  type: 'module',
  bin: { bookstall: 'bookstall.mjs' },
  engines: { node: '>=20' },
};

const SHEBANG = Buffer.from('#!/usr/bin/env node\n');

const OS_AT = 9;
const OS_UNKNOWN = 255;

type ClientPackage = { readonly body: Blob; readonly etag: string };

/**
 * Creates the function that returns the npm package of the readers' program, made at its first call. The package's
 * `stall.json` names this stall, so that the program knows where it came from. Refuses if the program was not built.
 */
export function createClientPackage(origin: () => string): () => ClientPackage {
  let made: ClientPackage | null = null;
  return () => (made ??= pack(origin()));
}

function pack(origin: string): ClientPackage {
  if (!existsSync(BUNDLE))
    throw Refusal.missing(
      'Cannot give the reader\'s program: this stall runs from its sources; run "bun run build"',
    );
  const files = [
    tarFile('package/package.json', Buffer.from(`${JSON.stringify(PACKAGE, null, 2)}\n`), false),
    tarFile('package/stall.json', Buffer.from(`${JSON.stringify({ url: origin })}\n`), false),
    tarFile('package/bookstall.mjs', Buffer.concat([SHEBANG, readFileSync(BUNDLE)]), true),
  ];
  const bytes = loadZlib().gzipSync(Buffer.concat([...files.flat(), TAR_END]), { level: 9 });
  // Sets the operating system in gzip's header to "unknown", so that the bytes do not reveal it.
  bytes[OS_AT] = OS_UNKNOWN;
  return {
    body: new Blob([new Uint8Array(bytes)]),
    etag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
  };
}

function tarFile(path: string, content: Uint8Array, executable: boolean): readonly Uint8Array[] {
  return [tarHeader(path, content.length, executable), content, tarPadding(content.length)];
}
