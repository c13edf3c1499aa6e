import type { RawCase } from './case.ts';

const WHOLE = 'GET /api/items HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Where the head is cut, after so many bytes. */
const CUTS: Readonly<Record<string, number>> = {
  'in the method': 1,
  'after the method': 4,
  'after the target': 14,
  'before the version': 15,
  'in the version': 19,
  'after the version': 23,
  'in the end of the request line': 24,
  'after the request line': 25,
  'in the name of a header': 28,
  'after the colon': 30,
  'before the value': 31,
  'after the value': 40,
  'in the end of a header': 41,
  'after the headers': 42,
  'in the end of the head': 43,
};

/** RFC 9112 §2.1: a head that is not whole is no request yet; TCP may cut it anywhere. */
export const FRAGMENTS: readonly RawCase[] = [
  ...Object.entries(CUTS).map(([name, cut]): RawCase => ({
    name: `a head cut ${name}`,
    bytes: WHOLE.slice(0, cut),
    rest: WHOLE.slice(cut),
    allowed: ['waits'],
    why: 'RFC 9112 §2.1: the rest may still come',
    by: 'bun',
  })),
  {
    name: 'nothing at all',
    bytes: '',
    rest: WHOLE,
    allowed: ['waits'],
    why: 'RFC 9112 §2.1: the rest may still come',
    by: 'bun',
  },
  {
    name: 'a header without its end',
    bytes: 'GET /api/items HTTP/1.1\r\nHost: x\r\nX-Test: value',
    rest: '\r\n\r\n',
    allowed: ['waits'],
    why: 'RFC 9112 §2.1: the rest may still come',
    by: 'bun',
  },
];
