import { Elysia } from 'elysia';
import { plainAnswer } from './answer.ts';
import type { Http } from './http.ts';

export const health = ({ guards }: Http, isReady: () => boolean) =>
  new Elysia()
    .use(guards)
    .guard({ uncounted: true }, (routes) =>
      routes
        .get('/livez', () => probe(200, 'alive'))
        .get('/readyz', () => (isReady() ? probe(200, 'ready') : probe(503, 'not ready'))),
    );

const probe = (status: number, word: string): Response => plainAnswer(`${word}\n`, status);
