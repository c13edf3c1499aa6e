import { Elysia } from 'elysia';
import type { RouteDeps } from '../frame/route-deps.ts';
import { accountPage } from './account.tsx';
import { createFormTokens } from '../frame/form-token.ts';
import { keyCreate } from './key-create.ts';
import { keyList } from './key-list.tsx';
import { keyRevoke } from './key-revoke.tsx';
import { keyRotate } from './key-rotate.tsx';
import { libraryPage } from './library.tsx';
import { logs } from './logs.tsx';
import { newsChoice } from './news.tsx';
import { ownData } from './own-data.ts';
import { password } from './password.ts';
import { readingPlaces } from './reading-places.tsx';
import { sessions } from './sessions.ts';

/** The reader's pages, in one visible list. */
export function dashboard(deps: RouteDeps) {
  const tokens = createFormTokens();
  return new Elysia()
    .use(libraryPage(deps))
    .use(keyList(deps, tokens))
    .use(keyCreate(deps, tokens))
    .use(keyRevoke(deps))
    .use(keyRotate(deps, tokens))
    .use(logs(deps))
    .use(accountPage(deps))
    .use(password(deps))
    .use(readingPlaces(deps))
    .use(newsChoice(deps))
    .use(sessions(deps))
    .use(ownData(deps));
}
