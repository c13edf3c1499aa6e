/** Node's zlib, loaded on first use: with the streams that it needs it takes 3 ms and 4 MB of a thread. */
export function loadZlib(): typeof import('node:zlib') {
  return process.getBuiltinModule('node:zlib');
}
