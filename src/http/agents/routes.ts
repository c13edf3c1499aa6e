/** A route of a door for other programs: its method, its path, the guard that decides who may, and the file that registers it. */
type DoorRoute = readonly [method: 'GET' | 'POST', path: string, guard: 'door' | 'link', file: string];

/** Every route of the doors, as a map for people and tests: test/http/agents/routes.test.ts holds it against the server's own table. */
// prettier-ignore
export const DOOR_ROUTES: readonly DoorRoute[] = [
  ['GET',  '/.well-known/agent-skills/:file',               'door', 'well-known.ts'],
  ['GET',  '/.well-known/agent-skills/:file/*',             'door', 'well-known.ts'],
  ['GET',  '/.well-known/skills/:file',                     'door', 'well-known.ts'],
  ['GET',  '/.well-known/skills/:file/*',                   'door', 'well-known.ts'],
  ['GET',  '/skills/:slug/.well-known/agent-skills/:file',  'door', 'well-known.ts'],
  ['GET',  '/skills/:slug/.well-known/agent-skills/:file/*', 'door', 'well-known.ts'],
  ['GET',  '/skills/:slug/.well-known/skills/:file',        'door', 'well-known.ts'],
  ['GET',  '/skills/:slug/.well-known/skills/:file/*',      'door', 'well-known.ts'],
  ['GET',  '/books/:slug/.well-known/agent-skills/:file',   'door', 'well-known.ts'],
  ['GET',  '/books/:slug/.well-known/agent-skills/:file/*', 'door', 'well-known.ts'],
  ['GET',  '/books/:slug/.well-known/skills/:file',         'door', 'well-known.ts'],
  ['GET',  '/books/:slug/.well-known/skills/:file/*',       'door', 'well-known.ts'],
  ['GET',  '/i/:token/.well-known/agent-skills/:file',      'link', 'well-known.ts'],
  ['GET',  '/i/:token/.well-known/agent-skills/:file/*',    'link', 'well-known.ts'],
  ['GET',  '/i/:token/.well-known/skills/:file',            'link', 'well-known.ts'],
  ['GET',  '/i/:token/.well-known/skills/:file/*',          'link', 'well-known.ts'],
  ['GET',  '/i/:token/:slug/.well-known/agent-skills/:file', 'link', 'well-known.ts'],
  ['GET',  '/i/:token/:slug/.well-known/agent-skills/:file/*', 'link', 'well-known.ts'],
  ['GET',  '/i/:token/:slug/.well-known/skills/:file',      'link', 'well-known.ts'],
  ['GET',  '/i/:token/:slug/.well-known/skills/:file/*',    'link', 'well-known.ts'],
  ['GET', '/git/:repository/info/refs',                      'door', 'git.ts'],
  ['POST','/git/:repository/git-upload-pack',                'door', 'git.ts'],
  ['POST','/git/:repository/git-receive-pack',               'door', 'git.ts'],
  ['GET', '/git/:repository/HEAD',                           'door', 'git.ts'],
  ['GET', '/git/:repository/objects/*',                      'door', 'git.ts'],
  ['GET', '/i/:token/git/:repository/info/refs',             'link', 'git.ts'],
  ['POST','/i/:token/git/:repository/git-upload-pack',       'link', 'git.ts'],
  ['POST','/i/:token/git/:repository/git-receive-pack',      'link', 'git.ts'],
  ['GET', '/i/:token/git/:repository/HEAD',                  'link', 'git.ts'],
  ['GET', '/i/:token/git/:repository/objects/*',             'link', 'git.ts'],
];
