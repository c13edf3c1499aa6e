import { get, head, type RawCase } from './case.ts';

const HOST = 'Host: x';
const big = (size: number): string => 'a'.repeat(size);
const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `X-${index}: v`);

/** RFC 9112 §3 and RFC 6585 §5: heads that are too large are refused, and those of a usual size are not. */
export const LIMITS: readonly RawCase[] = [
  {
    name: 'a path of 8,000 bytes',
    bytes: head(`GET /api/install/${big(7_980)} HTTP/1.1`, HOST),
    allowed: [404],
    why: 'RFC 9112 §3: request lines of 8,000 bytes should be read',
    by: 'bookstall',
  },
  {
    name: 'a query of 8,000 bytes',
    bytes: head(`GET /api/items?x=${big(7_980)} HTTP/1.1`, HOST),
    allowed: [200],
    why: 'RFC 9112 §3: request lines of 8,000 bytes should be read',
    by: 'bookstall',
  },
  {
    name: 'a path of 100 KB',
    bytes: head(`GET /${big(100_000)} HTTP/1.1`, HOST),
    allowed: [400, 414, 431, 'closed'],
    why: 'RFC 9112 §3: must be 414',
    by: 'bun',
  },
  {
    name: 'a header of 8,000 bytes',
    bytes: get(`X-A: ${big(8_000)}`),
    allowed: [200],
    why: 'RFC 9110 §5.4: a limit of our own',
    by: 'bun',
  },
  {
    name: 'a header of 100 KB',
    bytes: get(`X-A: ${big(100_000)}`),
    allowed: [400, 431, 'closed'],
    why: 'RFC 6585 §5',
    by: 'bun',
  },
  {
    name: 'a name of 100 KB',
    bytes: get(`${big(100_000)}: b`),
    allowed: [400, 431, 'closed'],
    why: 'RFC 6585 §5',
    by: 'bun',
  },
  {
    name: 'a header of 10 MB',
    bytes: get(`X-A: ${big(10_000_000)}`),
    allowed: [400, 431, 'closed'],
    why: 'RFC 6585 §5',
    by: 'bun',
  },
  {
    name: '90 headers',
    bytes: get(...many(90)),
    allowed: [200],
    why: 'RFC 9110 §5.4: a limit of our own',
    by: 'bun',
  },
  {
    name: '10,000 headers',
    bytes: get(...many(10_000)),
    allowed: [400, 431, 'closed'],
    why: 'RFC 6585 §5',
    by: 'bun',
  },
  {
    name: '1,000 empty headers',
    bytes: get(...Array<string>(1_000).fill('a:')),
    allowed: [400, 431, 'closed'],
    why: 'RFC 6585 §5',
    by: 'bun',
  },
  {
    name: 'a key of 8,000 bytes',
    bytes: head('GET /api/cli/library HTTP/1.1', HOST, `Authorization: Bearer svc_${big(8_000)}`),
    allowed: [401],
    why: 'RFC 6750 §3.1',
    by: 'bookstall',
  },
];
