import type { ItemFile } from '../item/item.ts';

/** Writes `{"files":[…]}` piece by piece so that a file of any size needs one chunk of memory. */
type FileJson = {
  /** Begins a file's record; `content` takes its bytes in order, `end` closes the record. */
  readonly addFile: (file: ItemFile) => {
    readonly content: (bytes: Buffer) => void;
    readonly end: () => { readonly start: number; readonly end: number };
  };
  readonly finish: () => void;
};

/** `write` takes the bytes; the offsets that `end` returns are the record's range among them. */
export function createFileJson(write: (bytes: Uint8Array) => void): FileJson {
  let position = 0;
  let files = 0;
  const put = (text: string): void => {
    const bytes = Buffer.from(text);
    position += bytes.length;
    write(bytes);
  };
  put('{"files":[');
  return {
    addFile(file) {
      put(files++ === 0 ? '\n' : ',\n');
      const start = position;
      put(`{"path":${JSON.stringify(file.path)},"content":"`);
      const encode = file.text ? createTextEncoder() : createBase64Encoder();
      return {
        content: (bytes) => put(encode(bytes, false)),
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
  // ignoreBOM keeps the BOM: `content` encoded again must be exactly the file's bytes. Not fatal: if the bytes changed
  // after they were found to be UTF-8, their hash shows it.
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
