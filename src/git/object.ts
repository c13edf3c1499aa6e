// Git objects, gitformat-pack(5) and gitdatamodel(7), with SHA-1 names.
import { createHash, type Hash } from 'node:crypto';

/** Length of a SHA-1 in bytes. */
export const SHA1_SIZE = 20;

/** A running SHA-1: the name of every object, and the end of every pack. Git asks for it; nothing of the stall relies on it. */
export function createSha1(): Hash {
  return createHash('sha1');
}

/** Forty lower-case hex digits. */
export type ObjectId = string;

export type ObjectType = 'commit' | 'tree' | 'blob';

/** An object whose bytes are at hand. */
export type GitObject = { readonly type: ObjectType; readonly id: ObjectId; readonly body: Uint8Array };

/** Names an object of `size` bytes that arrives in pieces: feed `update` with all of them, then ask for the id. */
export function createObjectHasher(type: ObjectType, size: number) {
  const hash = createSha1().update(`${type} ${size}\0`);
  return {
    update: (bytes: Uint8Array): void => void hash.update(bytes),
    id: (): ObjectId => hash.digest('hex'),
  };
}

/** An object of these bytes. */
export function createObject(type: ObjectType, body: Uint8Array): GitObject {
  const hasher = createObjectHasher(type, body.length);
  hasher.update(body);
  return { type, id: hasher.id(), body };
}

/** A commit; `at` is in milliseconds since 1970, the message has no closing line break. */
type Commit = {
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
  readonly name: string;
  readonly email: string;
  readonly at: number;
  readonly message: string;
};

/** The commit as an object. Names and message lose what would end their line or field. */
export function commitObject({ tree, parents, name, email, at, message }: Commit): GitObject {
  const who = `${identity(name)} <${identity(email)}> ${Math.floor(at / 1000)} +0000`;
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${who}`,
    `committer ${who}`,
    '',
    `${message.replaceAll('\0', '')}\n`,
  ];
  return createObject('commit', Buffer.from(lines.join('\n')));
}

/** Git refuses an identity that is empty or holds `<`, `>`, NUL or a line break. */
function identity(text: string): string {
  return text.replace(/[<>\p{Cc}]+/gu, ' ').trim() || 'unknown';
}
