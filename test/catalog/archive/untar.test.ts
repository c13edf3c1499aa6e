import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { TAR_END, tarHeader, tarPadding } from '../../../src/catalog/archive/tar.ts';
import { readTar } from '../../../src/catalog/archive/untar.ts';

type File = { readonly path: string; readonly content: Uint8Array; readonly executable: boolean };

function tarOf(files: readonly File[]): Uint8Array {
  return Buffer.concat([
    ...files.flatMap(({ path, content, executable }) => [
      tarHeader(path, content.length, executable),
      content,
      tarPadding(content.length),
    ]),
    TAR_END,
  ]);
}

/** The bytes in parts of the sizes given, over and over. */
async function* cut(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = sizes[n % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function read(source: AsyncIterable<Uint8Array>): Promise<readonly File[]> {
  const files: File[] = [];
  for await (const { path, executable, body } of readTar(source)) {
    const parts: Uint8Array[] = [];
    for await (const part of body()) parts.push(Uint8Array.from(part));
    files.push({ path, executable, content: Uint8Array.from(Buffer.concat(parts)) });
  }
  return files;
}

const file = fc.record({
  path: fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 300 })
    .filter((path) => path.isWellFormed() && !/[\0\n]|\/$/.test(path)),
  content: fc.uint8Array({ maxLength: 2000 }),
  executable: fc.boolean(),
});

test('the output of tar.ts is read back, however it is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(file, { maxLength: 5 }),
      fc.array(fc.integer({ min: 1, max: 1500 }), { minLength: 1, maxLength: 4 }),
      async (files, sizes) => {
        expect(await read(cut(tarOf(files), sizes))).toEqual(files);
      },
    ),
  );
});

test('an unread file is skipped', async () => {
  const files = ['a', 'b'].map((path) => ({ path, content: new Uint8Array(700).fill(7), executable: false }));
  const paths: string[] = [];
  for await (const { path } of readTar(cut(tarOf(files), [100]))) paths.push(path);
  expect(paths).toEqual(['a', 'b']);
});

test('an archive cut anywhere is refused', async () => {
  const whole = tarOf([{ path: 'trap/x', content: new TextEncoder().encode('hello'), executable: false }]);
  for (let length = 0; length < whole.length; length += 100)
    await expect(read(cut(whole.subarray(0, length), [512]))).rejects.toThrow('it ends too early');
});

test('a header with one byte changed is refused, or says the same', async () => {
  const files = [{ path: 'trap/x', content: new TextEncoder().encode('hello'), executable: false }];
  const whole = tarOf(files);
  await fc.assert(
    fc.asyncProperty(fc.nat(511), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
      const bytes = Uint8Array.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ flip;
      const outcome = await read(cut(bytes, [512])).catch((error: unknown) => String(error));
      if (typeof outcome === 'string') expect(outcome).toStartWith('Refusal: Cannot unpack the archive: ');
      else expect(outcome).toEqual(files);
    }),
  );
});
