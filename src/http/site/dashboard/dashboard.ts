import type { AnyElysia } from 'elysia';
import type { RouteDeps } from '../frame/route-deps.ts';
import { accountPage } from './account.tsx';
import { keyCreate } from './key-create.ts';
import { keyList } from './key-list.tsx';
import { keyRotate } from './key-rotate.tsx';
import { libraryPage } from './library.tsx';
import { logs } from './logs.tsx';
import { newsChoice } from './news.tsx';
import { ownData } from './own-data.ts';
import { password } from './password.ts';
import { readingPlaces } from './reading-places.tsx';
import { sessions } from './sessions.ts';

/** The reader's pages, in one visible list. */
export function dashboard(deps: RouteDeps): AnyElysia[] {
  return [
    libraryPage(deps),
    keyList(deps),
    keyCreate(deps),
    keyRotate(deps),
    logs(deps),
    accountPage(deps),
    password(deps),
    readingPlaces(deps),
    newsChoice(deps),
    sessions(deps),
    ownData(deps),
  ];
}
